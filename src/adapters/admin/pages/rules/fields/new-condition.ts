/** A condition on an attribute, as forms begin it. */
export const NEW_CONDITION = {
  match_type: 'tag',
  tag: '',
  tag_match: 'equal',
  tag_match_negate: false,
  value: '',
  value_match: 'equal',
  value_match_negate: false,
};
