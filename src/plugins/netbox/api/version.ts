/** A release of NetBox: `4.7`. */
export interface NetBoxVersion {
  readonly major: number;
  readonly minor: number;
  /** As NetBox says it: `4.7.3-Docker-3.4.0`. */
  readonly text: string;
}

export function versionOf(text: string): NetBoxVersion {
  const [, major = '0', minor = '0'] = /^v?(\d+)\.(\d+)/.exec(text) ?? [];
  return { major: Number(major), minor: Number(minor), text };
}

export function isAtLeast(version: NetBoxVersion, major: number, minor: number): boolean {
  return version.major > major || (version.major === major && version.minor >= minor);
}
