/**
 * A page of a plugin in the admin interface. It is shown in a frame without a way to the page around it, to cookies, or to the network: all that it
 * gets and does are actions of its own plugin, called with the rights of who looks at it.
 *
 * In the frame, `muster.call(action, input)` answers the promise of an action's output, `muster.theme` is `light` or `dark`, and
 * `muster.user` is who is logged in.
 */
export interface PluginPage {
  /** Lower-case words joined by dashes. */
  readonly id: string;
  /** In the navigation, and above the page. */
  readonly title: string;
  /** The caller needs one of these, as for an action. */
  readonly roles: readonly string[];
  /** What stands in the document's body, with `<style>` and `<script>`; everything in one text, since nothing else is loaded. */
  readonly html: string;
}
