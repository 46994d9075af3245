/** A convex area of device pixels in which drawing is allowed. */
export interface Clip {
  /** Rows from `top` up to but excluding `bottom` */
  readonly top: number;
  readonly bottom: number;
  /** Columns of row `y`, from `from(y)` up to but excluding `to(y)` */
  from(y: number): number;
  to(y: number): number;
}
