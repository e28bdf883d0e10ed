// Loaded before the program (`--import`): its clock is off by MUSTER_TEST_CLOCK_OFF_MS.
const offMs = Number(process.env.MUSTER_TEST_CLOCK_OFF_MS);
const RealDate = Date;

globalThis.Date = class extends RealDate {
  constructor(...args) {
    if (args.length === 0) super(RealDate.now() + offMs);
    else super(...args);
  }

  static now() {
    return RealDate.now() + offMs;
  }
};
