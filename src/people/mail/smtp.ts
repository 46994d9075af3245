/** Sends messages to the SMTP server. */
import nodemailer from 'nodemailer';
import type { NodemailerError } from 'nodemailer';
import { isDeadlineOver, within } from '../../base/outside/deadline.ts';
import type { Message } from './letter.ts';

export interface Smtp {
  /**
   * Resolves once the server has accepted the message.
   * @param id the same for all attempts, so that mail programs recognize duplicates
   * @throws SmtpFailure
   */
  send(mail: Message & { id: string; recipient: string }): Promise<void>;
  /** Connects and signs in without sending. @throws SmtpFailure */
  verify(): Promise<void>;
}

/**
 * Scope of a failure, which decides the next step. `recipient`: this message, permanently. `message`: this
 * message, temporarily. `server`: all messages, because of a network, a server, or a setting.
 */
export type FailureScope = 'recipient' | 'message' | 'server';

export class SmtpFailure extends Error {
  override name = 'SmtpFailure';
  readonly scope: FailureScope;

  constructor(scope: FailureScope, message: string, options?: ErrorOptions) {
    super(message, options);
    this.scope = scope;
  }
}

/** In milliseconds */
interface SmtpLimits {
  connect: number;
  /** Maximum time without a byte from the server */
  silence: number;
  /** Maximum time for a whole message; shorter than the claim of the outbox */
  send: number;
}

const SMTP_LIMITS: SmtpLimits = { connect: 10_000, silence: 20_000, send: 60_000 };

/**
 * @param url `smtp://` or `smtps://`, with Nodemailer's options as its query
 * @param from sender of all messages: `Name <address>`
 */
export function smtpAt(url: string, from: string, limits = SMTP_LIMITS): Smtp {
  const transport = nodemailer.createTransport({
    url,
    ...(mustUseTls(new URL(url)) && { requireTLS: true }),
    dnsTimeout: limits.connect,
    connectionTimeout: limits.connect,
    greetingTimeout: limits.silence,
    socketTimeout: limits.silence,
    // Messages contain only our own text.
    disableFileAccess: true,
    disableUrlAccess: true,
  });
  const domain = /@([^\s>@]+)>?\s*$/.exec(from)?.[1] ?? 'localhost';
  return {
    async send({ id, recipient, subject, replyTo, text, html, pictures, unsubscribeUrl }) {
      const mail = {
        from,
        // As an object, so that a list of addresses in one text isn't parsed as several recipients.
        to: { name: '', address: recipient },
        ...(replyTo !== undefined && { replyTo: { name: '', address: replyTo } }),
        subject,
        text,
        html,
        attachments: pictures.map(({ cid, bytes }) => {
          const filename = `${cid}.png`;
          return { cid, content: bytes, filename, contentDisposition: 'inline' as const };
        }),
        messageId: `<${id}@${domain}>`,
        // RFC 3834: suppresses vacation replies
        headers: {
          'Auto-Submitted': 'auto-generated',
          'X-Auto-Response-Suppress': 'All',
          ...(unsubscribeUrl !== undefined && {
            'List-Unsubscribe': `<${unsubscribeUrl}>`,
            'List-Unsubscribe-Post': 'List-Unsubscribe=One-Click',
          }),
        },
      };
      try {
        await within(limits.send, (signal) => transport.sendMail({ ...mail, signal }));
      } catch (error) {
        throw failureOf(error as NodemailerError);
      }
    },
    async verify() {
      try {
        await within(limits.send, () => transport.verify());
      } catch (error) {
        throw failureOf(error as NodemailerError);
      }
    },
  };
}

/** Passwords are sent only with encryption, unless the URL allows otherwise. */
const mustUseTls = ({ protocol, username, searchParams }: URL) =>
  protocol === 'smtp:' && username !== '' && !searchParams.has('requireTLS');

/** SMTP: the service closes the connection (RFC 5321, 4.2.3) */
const SHUTTING_DOWN = 421;

function failureOf(error: NodemailerError): SmtpFailure {
  const { code, command, responseCode } = error;
  const reason = isDeadlineOver(error) ? 'The server took too long' : error.message;
  return new SmtpFailure(scopeOf({ code, command, responseCode }), reason, { cause: error });
}

/**
 * Only responses to the recipient or the text are about one message. A server that refuses the connection,
 * the password, or the sender refuses all messages.
 */
function scopeOf({
  code,
  command,
  responseCode,
}: Pick<NodemailerError, 'code' | 'command' | 'responseCode'>): FailureScope {
  const isAboutMessage = (code === 'EENVELOPE' || code === 'EMESSAGE') && command !== 'MAIL FROM';
  if (!isAboutMessage || responseCode === SHUTTING_DOWN) return 'server';
  const isTemporary = responseCode !== undefined && responseCode < 500;
  return isTemporary ? 'message' : 'recipient';
}
