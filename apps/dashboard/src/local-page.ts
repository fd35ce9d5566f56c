import type { RequestHandler, Response } from 'express';

/**
 * Removes links to other hosts from Bull Board's page: the content security policy would refuse them with an error in
 * the console. They are web fonts; the page falls back to system fonts.
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

/** Returns the page without links to other hosts. */
export function localHtml(html: string): string {
  return html.replace(externalLink, '');
}
