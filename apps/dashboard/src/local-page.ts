import type { RequestHandler, Response } from 'express';

/**
 * Takes out what Bull Board's page links on other hosts before the page is sent: the content security policy
 * would refuse it with an error in the console. These are web fonts; the page falls back to the system's.
 */
export const localPage: RequestHandler = (_request, response, next) => {
  const render = response.render.bind(response) as (
    view: string,
    options: object,
    done: (error: Error | null, html: string) => void,
  ) => void;
  response.render = ((view: string, options: object) => {
    render(view, options, (error, html) => {
      if (error) return next(error);
      response.type('html').send(localHtml(html));
    });
  }) as Response['render'];
  next();
};

const externalLink = /<link\b[^>]*\bhref="(?:https?:)?\/\/[^"]*"[^>]*>/gi;

/** The same page without links to other hosts. */
export function localHtml(html: string): string {
  return html.replace(externalLink, '');
}
