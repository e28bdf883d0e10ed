import { expect, operate, test } from '../support/admin.ts';

test('a group of somebody else waits until an administrator confirms it', { tag: '@thorough' }, async ({
  open,
  api,
  name,
}) => {
  const group = name();
  const author = await open('/cron', 'author');
  const settings = {
    name: group,
    enabled: true,
    interval_minutes: 60,
    hours: null,
    jobs: [{ command: 'Maintenance' }],
  };
  await operate(author, 'cron/save-group', { settings });
  await author.goto(`/admin/cron/${group}`);
  await expect(author.getByRole('alert')).toContainText('Waits for an administrator');
  await expect(author.getByRole('button', { name: `Confirm ${group}` })).toHaveCount(0);
  await expect
    .poll(async () => (await api.get('/syncer/cron/')).body.result.find((one: { name: string }) => one.name === group))
    .toMatchObject({ has_error: true, last_message: expect.stringContaining('waits for an administrator') });

  const page = await open('/');
  await expect(page.getByRole('heading', { name: /^Needs attention/ })).toBeVisible();
  // What other tests left may come before it, and push it out of the first eight while the page loads.
  await expect(async () => {
    const more = page.getByRole('button', { name: /^Show \d+ more$/ });
    if (await more.isVisible()) await more.click();
    await page.getByRole('link', { name: `Cron groups: ${group}` }).click({ timeout: 2000 });
  }).toPass();
  await page.getByRole('button', { name: `Confirm ${group}` }).press('Enter');
  await expect(page.getByRole('dialog')).toContainText('runs the job Maintenance');
  await page.getByRole('dialog').getByRole('button', { name: 'Confirm' }).press('Enter');
  await expect(page.getByText(`${group} is confirmed.`)).toBeVisible();
  await expect(page.getByRole('button', { name: `Confirm ${group}` })).toHaveCount(0);
  await operate(page, 'cron/set-run-once-next', { job_name: group, run_once_next: true });
  await expect
    .poll(async () => (await api.get('/syncer/cron/')).body.result.find((one: { name: string }) => one.name === group))
    .toMatchObject({ has_error: false });
});
