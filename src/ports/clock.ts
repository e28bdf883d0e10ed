/** The time. Everything that needs it takes it from here, so that tests can set it. */
export interface Clock {
  now(): Date;
}
