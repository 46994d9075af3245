/** What a locator tells its visitors besides the organization's own words, in their language. */
import { formatCount } from '../../base/text/words.ts';
import type { Language } from './locator-words.ts';

export const DEMANDS = ['low', 'middle', 'high'] as const;
export type Demand = (typeof DEMANDS)[number];

export const AVAILABILITIES = ['available', 'reserved', 'taken', 'unknown'] as const;
export type Availability = (typeof AVAILABILITIES)[number];

interface Sentences {
  serves: (brand: string, where: string) => string;
  serveBoth: (where: string) => string;
  call: string;
  website: string;
  directions: string;
  nearest: string;
  hours: string;
  map: (place: string) => string;
  away: (miles: number) => string;
  answer: string;
  askAgain: string;
  unknownZip: (zip: string) => string;
  unknownAddress: string;
  malformed: (geocodes: boolean) => string;
  tooMany: string;
  failed: string;
  closedTitle: string;
  closed: string;
  candidates: {
    link: string;
    heading: string;
    label: string;
    button: string;
    availability: Readonly<Record<Exclude<Availability, 'unknown'>, (where: string) => string>>;
    demand: Readonly<Record<Demand, string>>;
    formHeading: string;
    formHint: (organization: string) => string;
    name: string;
    email: string;
    phone: string;
    optional: string;
    message: string;
    send: string;
    sent: (organization: string) => string;
    sentHeading: string;
    nameProblem: string;
    emailProblem: string;
    phoneProblem: string;
    messageProblem: (most: number) => string;
    tooManyForms: string;
    full: string;
    customers: string;
  };
}

/** Below a mile, distances between a ZIP code's center and a place are too inexact to state. */
const roundedMiles = (miles: number) => (miles < 1.5 ? 1 : Math.round(miles));

export const SENTENCES: Readonly<Record<Language, Sentences>> = {
  en: {
    serves: (brand, where) => `${brand} serves ${where}.`,
    serveBoth: (where) => `Several teams serve ${where}.`,
    call: 'Call',
    website: 'Visit the website',
    directions: 'Directions',
    nearest: 'Nearest location',
    hours: 'Hours',
    map: (place) => `Map with a pin at ${place}`,
    away: (miles) =>
      miles < 1.5 ? 'About a mile away' : `About ${formatCount(roundedMiles(miles))} miles away`,
    answer: 'Answer',
    askAgain: 'Try another ZIP code',
    unknownZip: (zip) => `There is no ZIP code ${zip}. Check its digits.`,
    unknownAddress: 'We didn’t find this address. Check it, or enter your ZIP code.',
    malformed: (geocodes) =>
      geocodes
        ? 'Enter a ZIP code, such as 75201, or a street address with its city.'
        : 'Enter a ZIP code of five digits, such as 75201.',
    tooMany: 'You have asked about many places. Try again later.',
    failed: 'Something went wrong. Try again in a minute.',
    closedTitle: 'This page is closed',
    closed: 'There is nothing at this address any more. Please contact the company in another way.',
    candidates: {
      link: 'Interested in owning a franchise?',
      heading: 'Is this area available?',
      label: 'ZIP code',
      button: 'Check',
      availability: {
        available: (where) => `${where} is available.`,
        reserved: (where) => `${where} is reserved at the moment.`,
        taken: (where) => `${where} is taken.`,
      },
      demand: {
        low: 'Expected demand: low',
        middle: 'Expected demand: medium',
        high: 'Expected demand: high',
      },
      formHeading: 'Talk to us',
      formHint: (organization) =>
        `We send this to ${organization} by email and keep no copy of it.`,
      name: 'Your name',
      email: 'Email',
      phone: 'Phone',
      optional: 'Optional',
      message: 'Message',
      send: 'Send',
      sentHeading: 'Thank you',
      sent: (organization) => `Your message is on its way to ${organization}.`,
      nameProblem: 'Enter your name, in at most 120 characters.',
      emailProblem: 'Enter an email address, such as pat@example.com.',
      phoneProblem: 'Enter a phone number, such as (214) 555-0100, or nothing.',
      messageProblem: (most) => `Enter at most ${formatCount(most)} characters.`,
      tooManyForms: 'You have sent this form several times. Try again in an hour.',
      full: 'The message can’t be sent right now. Try again in an hour.',
      customers: 'Find who serves your area',
    },
  },
  es: {
    serves: (brand, where) => `${brand} atiende ${where}.`,
    serveBoth: (where) => `Varios equipos atienden ${where}.`,
    call: 'Llamar',
    website: 'Visitar el sitio web',
    directions: 'Cómo llegar',
    nearest: 'Ubicación más cercana',
    hours: 'Horario',
    map: (place) => `Mapa con la ubicación de ${place}`,
    away: (miles) =>
      miles < 1.5
        ? 'A una milla, más o menos'
        : `A unas ${formatCount(roundedMiles(miles))} millas`,
    answer: 'Respuesta',
    askAgain: 'Probar otro código postal',
    unknownZip: (zip) => `El código postal ${zip} no existe. Revise los dígitos.`,
    unknownAddress: 'No encontramos esta dirección. Revísela o escriba su código postal.',
    malformed: (geocodes) =>
      geocodes
        ? 'Escriba un código postal, como 75201, o una dirección con su ciudad.'
        : 'Escriba un código postal de cinco dígitos, como 75201.',
    tooMany: 'Ha preguntado por muchos lugares. Inténtelo de nuevo más tarde.',
    failed: 'Algo salió mal. Inténtelo de nuevo en un minuto.',
    closedTitle: 'Esta página está cerrada',
    closed: 'Ya no hay nada en esta dirección. Comuníquese con la empresa de otra manera.',
    candidates: {
      link: '¿Le interesa ser dueño de una franquicia?',
      heading: '¿Está disponible esta zona?',
      label: 'Código postal',
      button: 'Consultar',
      availability: {
        available: (where) => `${where} está disponible.`,
        reserved: (where) => `${where} está reservado por el momento.`,
        taken: (where) => `${where} ya está ocupado.`,
      },
      demand: {
        low: 'Demanda esperada: baja',
        middle: 'Demanda esperada: media',
        high: 'Demanda esperada: alta',
      },
      formHeading: 'Hable con nosotros',
      formHint: (organization) =>
        `Lo enviamos por correo electrónico a ${organization} y no guardamos ninguna copia.`,
      name: 'Su nombre',
      email: 'Correo electrónico',
      phone: 'Teléfono',
      optional: 'Opcional',
      message: 'Mensaje',
      send: 'Enviar',
      sentHeading: 'Gracias',
      sent: (organization) => `Su mensaje va en camino a ${organization}.`,
      nameProblem: 'Escriba su nombre, con un máximo de 120 caracteres.',
      emailProblem: 'Escriba un correo electrónico, como pat@example.com.',
      phoneProblem: 'Escriba un número de teléfono, como (214) 555-0100, o déjelo vacío.',
      messageProblem: (most) => `Escriba un máximo de ${formatCount(most)} caracteres.`,
      tooManyForms: 'Ha enviado este formulario varias veces. Inténtelo de nuevo en una hora.',
      full: 'El mensaje no se puede enviar en este momento. Inténtelo de nuevo en una hora.',
      customers: 'Buscar quién atiende su zona',
    },
  },
};
