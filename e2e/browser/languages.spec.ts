import { expect, operate, test } from '../support/admin.ts';

test('refusals and conditions are told in the language of the page', async ({ open, name }) => {
  const page = await open('/profile', 'root', 'de-DE');
  await page.goto('/admin/hosts/nosuch.example.org');
  await expect(page.getByRole('main')).toContainText('Es gibt keinen Host nosuch.example.org');
  await operate(page, 'rules/save-rule', {
    rule_type: 'automation_customvars',
    document: {
      name: name(),
      condition_typ: 'all',
      conditions: [
        {
          match_type: 'tag',
          tag_match: 'equal',
          tag: 'os',
          value_match: 'swith',
          value: 'deb',
          hostname_match: 'equal',
          hostname: '',
          tag_match_negate: false,
          value_match_negate: true,
          hostname_match_negate: false,
        },
      ],
      outcomes: [],
      enabled: true,
      sort_field: 900,
    },
  });
  await page.goto(`/admin/rules/automation_customvars?text=${name()}`);
  await expect(page.getByRole('main')).toContainText('Attribut "os" beginnt nicht mit "deb"');
});

test('what is wrong with a form is told at its fields, in the language of the page', async ({ open }) => {
  const page = await open('/users/new', 'root', 'de-DE');
  const form = page.getByRole('form', { name: 'Neuer Benutzer' });
  await form.getByRole('textbox', { name: 'Name' }).fill('olga meier');
  await form.getByLabel(/^Passwort/).fill('a quiet afternoon');
  await form.getByRole('button', { name: 'Benutzer anlegen' }).click();
  await expect(form).toContainText('darf keine Leerzeichen, Doppelpunkte oder Steuerzeichen enthalten');
});

test('pages speak the language of the browser, and another one where it is chosen', { tag: '@thorough' }, async ({
  open,
}) => {
  const page = await open('/profile', 'root', 'de-DE');
  await expect(page.getByRole('heading', { level: 1, name: 'Ihr Profil' })).toBeVisible();
  await expect(page.locator('html')).toHaveAttribute('lang', 'de');
  await page.getByRole('link', { name: 'Regeln' }).click();
  await expect(page.getByRole('heading', { level: 1, name: 'Regeln' })).toBeVisible();
  await page.goBack();
  await page.getByRole('combobox', { name: 'Sprache' }).click();
  await page.getByRole('option', { name: 'English' }).click();
  await expect(page.getByRole('heading', { level: 1, name: 'Your profile' })).toBeVisible();
  await page.reload();
  await expect(page.locator('html')).toHaveAttribute('lang', 'en');
});
