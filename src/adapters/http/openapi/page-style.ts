export const PAGE_STYLE = `
:root{color-scheme:light dark;--ground:#fff;--ink:#1c2330;--soft:#5b6577;--line:#d9dee7;--tint:#f4f6fa;--accent:#0b5cad}
@media (prefers-color-scheme:dark){:root{--ground:#12161d;--ink:#e6eaf1;--soft:#9aa6b8;--line:#2b3442;--tint:#1a212c;--accent:#7db8f7}}
*{box-sizing:border-box}html{scroll-padding-top:1rem}
body{margin:0;display:grid;grid-template-columns:17rem minmax(0,1fr);background:var(--ground);color:var(--ink);font:16px/1.55 system-ui,sans-serif}
a{color:var(--accent)}:focus-visible{outline:3px solid var(--accent);outline-offset:2px;border-radius:3px}
.skip{position:absolute;left:-999px}.skip:focus{left:1rem;top:1rem;background:var(--ground);padding:.5rem 1rem;z-index:1}
nav{position:sticky;top:0;height:100vh;overflow:auto;padding:1.5rem;border-right:1px solid var(--line);background:var(--tint);font-size:.9rem}
nav .name{font-weight:700;font-size:1.1rem;margin:0 0 1rem}nav ul{list-style:none;margin:0;padding:0}nav li>a{text-decoration:none}
nav>ul>li{margin-bottom:1rem}nav>ul>li>a{font-weight:600;text-transform:capitalize}nav ul ul a{color:var(--ink);display:block;padding:.15rem 0}
main{padding:2rem 3rem 6rem;max-width:60rem}h1{margin-top:0}h2{margin-top:3rem;text-transform:capitalize;border-bottom:1px solid var(--line)}
article{margin:2rem 0 3rem}h3{margin-bottom:.3rem}h3 a{color:inherit;text-decoration:none}h3 a:hover{text-decoration:underline}
h4{margin:1.2rem 0 .3rem;font-size:.8rem;letter-spacing:.06em;text-transform:uppercase;color:var(--soft)}
code,pre,.method{font-family:ui-monospace,monospace;font-size:.9em}pre{background:var(--tint);border:1px solid var(--line);border-radius:6px;padding:.8rem 1rem;overflow:auto}
.call{margin:.2rem 0}.method{font-weight:700;font-size:.75em;color:var(--soft)}
.call .method{padding:.15rem .5rem;border-radius:4px;color:#fff;background:#0b5cad}.call .post{background:#1c7a44}.call .delete{background:#a8322d}
.open,.type,small{color:var(--soft);font-size:.85em}table{border-collapse:collapse;width:100%}
th,td{text-align:left;vertical-align:top;padding:.4rem .8rem .4rem 0;border-top:1px solid var(--line);font-weight:400}
details{border-top:1px solid var(--line);padding:.4rem 0}summary{cursor:pointer}article>p{margin:.4rem 0}.members{margin:.3rem 0;padding-left:1.2rem}
@media (max-width:800px){body{display:block}nav{position:static;height:auto;max-height:40vh}main{padding:1.5rem}}
`;
