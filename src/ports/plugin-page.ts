/**
 * A page of a plugin in the admin interface. It is shown in a frame without access to the page around it, to cookies, or to the
 * network: it can only get and do things through actions of its own plugin, called with the rights of the user viewing it.
 *
 * In the frame, `muster.call(action, input)` answers the promise of an action's output, `muster.theme` is `light` or `dark`, and
 * `muster.user` is the user who is logged in.
 */
export interface PluginPage {
  /** Lower-case words joined by dashes. */
  readonly id: string;
  /** In the navigation, and above the page. */
  readonly title: string;
  /** The caller needs one of these, as for an action. */
  readonly roles: readonly string[];
  /** Content of the document's body, with `<style>` and `<script>`; everything in one text, since nothing else is loaded. */
  readonly html: string;
}
