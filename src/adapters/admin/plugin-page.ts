import type { PluginPage } from '../../ports/index.ts';

/** Facts about the viewer that the document of a page knows. */
export interface PageViewer {
  readonly user: string;
  readonly theme: 'light' | 'dark';
}

/**
 * The document has an origin of its own, however it is framed or opened: without cookies, without the page around it, and without
 * access to any server. It asks the framing page for everything it wants.
 */
export const PLUGIN_PAGE_HEADERS = {
  'content-security-policy': [
    'sandbox allow-scripts allow-forms',
    "default-src 'none'",
    "script-src 'unsafe-inline'",
    "style-src 'unsafe-inline'",
    'img-src data:',
    'font-src data:',
    "base-uri 'none'",
    "form-action 'none'",
    "frame-ancestors 'self'",
  ].join('; '),
  'referrer-policy': 'no-referrer',
  'cache-control': 'no-store',
  'content-type': 'text/html; charset=utf-8',
} as const;

/** Returns the document of a page, with the script for calling actions. */
export function pluginPageDocument({ title, html }: PluginPage, { user, theme }: PageViewer): string {
  return `<!doctype html>
<html lang="en" data-theme="${theme}">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="color-scheme" content="${theme}">
<title>${escaped(title)}</title>
<style>${STYLE}</style>
<script>${BRIDGE}(${inScript({ user, theme })});</script>
</head>
<body>
${html}
</body>
</html>
`;
}

/** Makes a page look native before its author has written a line of style. */
const STYLE = `body{margin:0;font:14px/1.55 system-ui,sans-serif;color:#1f2328;background:#fff}
[data-theme=dark] body{color:#c9c9c9;background:#242424}
table{border-collapse:collapse;width:100%}th,td{text-align:left;padding:6px 10px;border-bottom:1px solid #8884}
button,input,select{font:inherit;padding:5px 12px;border:1px solid #8888;border-radius:4px;background:transparent;color:inherit}
:focus-visible{outline:2px solid #4c63c9;outline-offset:2px}`;

/** Runs in the document; the page around it answers by the id of each call. */
const BRIDGE = `(function(viewer){
var waiting=new Map(),last=0;
addEventListener('message',function(event){
var data=event.data;
if(event.source!==parent||!data||data.muster!=='answer')return;
var call=waiting.get(data.id);
if(!call)return;
waiting.delete(data.id);
if(data.error)call.reject(Object.assign(new Error(data.error.message),{code:data.error.code}));
else call.resolve(data.output);
});
window.muster=Object.freeze({user:viewer.user,theme:viewer.theme,call:function(action,input){
return new Promise(function(resolve,reject){
var id=++last;
waiting.set(id,{resolve:resolve,reject:reject});
parent.postMessage({muster:'call',id:id,action:String(action),input:input||{}},'*');
});
}});
addEventListener('DOMContentLoaded',function(){
new ResizeObserver(function(){parent.postMessage({muster:'height',height:document.documentElement.offsetHeight},'*');}).observe(document.documentElement);
});
})`;

function inScript(value: object): string {
  return JSON.stringify(value).replaceAll('<', '\\u003c');
}

function escaped(text: string): string {
  return text.replaceAll('&', '&amp;').replaceAll('<', '&lt;');
}
