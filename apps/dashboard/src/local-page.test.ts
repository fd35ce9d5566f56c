import { localHtml } from './local-page';

test('a page loses its links to other hosts and keeps its own', () => {
  const html = [
    '<link rel="icon" href="static/logo.svg">',
    '<link href="https://fonts.example.com/css2?family=A&display=swap" rel="stylesheet">',
    '<link rel="stylesheet" href="//cdn.example.com/a.css" />',
    '<link href="static/css/main.css" rel="stylesheet">',
  ].join('\n');
  expect(localHtml(html)).toBe(
    '<link rel="icon" href="static/logo.svg">\n\n\n<link href="static/css/main.css" rel="stylesheet">',
  );
});
