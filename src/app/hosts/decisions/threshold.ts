/** Whether `count` of `all` is a larger share than a threshold in percent allows. Not rounded: 20.4 % is more than 20 %. */
export function isAboveThreshold(count: number, all: number, percent: number): boolean {
  return count * 100 > all * percent;
}
