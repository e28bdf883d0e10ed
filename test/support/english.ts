import { i18n } from '@lingui/core';

// Pages load a catalogue before they say anything; tests of what they say need none.
i18n.setMessagesCompiler((text) => [text]);
i18n.activate('en');

export { i18n };
