import path from 'node:path';
import { EsbuildPlugin } from 'esbuild-loader';
import HtmlWebpackPlugin from 'html-webpack-plugin';
import MiniCssExtractPlugin from 'mini-css-extract-plugin';
import { readFileSync } from 'node:fs';
import webpack from 'webpack';

/** @import { Configuration } from 'webpack' */

const root = import.meta.dirname;
const packageJson = JSON.parse(readFileSync(path.join(root, 'package.json'), 'utf8'));
const production = process.env.NODE_ENV !== 'development';

/** @returns {Configuration} */
function base(name, target, esTarget, define = {}) {
  return {
    name,
    mode: production ? 'production' : 'development',
    devtool: 'source-map',
    context: root,
    resolve: { extensions: ['.ts', '.js', '.json'] },
    module: {
      rules: [
        {
          test: /\.ts$/,
          exclude: /node_modules/,
          // Only entries do anything when loaded: what a bundle does not use stays out of it.
          sideEffects: false,
          loader: 'esbuild-loader',
          options: { target: esTarget, define },
        },
        { test: /\.css$/, use: [MiniCssExtractPlugin.loader, 'css-loader'] },
      ],
    },
    target,
    plugins: [new webpack.DefinePlugin({ __VERSION__: JSON.stringify(packageJson.version) })],
    optimization: { minimizer: [new EsbuildPlugin({ target: esTarget, css: true })] },
    performance: { hints: false },
    stats: 'errors-warnings',
  };
}

/**
 * Node programs: readable stack traces matter more than size.
 * @returns {Configuration}
 */
function node(name, entry, out, target, esTarget) {
  // CommonJS has no import.meta; Electron 22 does not even parse it.
  const config = base(name, target, esTarget, { 'import.meta.dirname': '__dirname' });
  return {
    ...config,
    entry,
    output: {
      path: path.join(root, 'dist', out),
      filename: '[name].cjs',
      // A sandboxed preload script has no `module` to assign to, and exports nothing.
      ...(target.endsWith('preload') ? {} : { library: { type: 'commonjs2' } }),
    },
    externals: {
      netlink: 'commonjs netlink',
      electron: 'commonjs electron',
      'playwright-core': 'commonjs playwright-core',
      // Optional speed-ups of ws that nobody installs.
      bufferutil: 'commonjs bufferutil',
      'utf-8-validate': 'commonjs utf-8-validate',
    },
    // Prints the code again with shorter syntax, with its names and lines, and without the comments of packages.
    optimization: {
      minimizer: [new EsbuildPlugin({ target: esTarget, minify: false, minifySyntax: true })],
    },
    // The addon and optional programs are looked up at run time, not bundled.
    module: { ...config.module, parser: { javascript: { createRequire: false } } },
    node: { __dirname: false, __filename: false },
  };
}

/**
 * Pages: one script, one style sheet, no inline anything, so that the strict CSP holds.
 * @returns {Configuration}
 */
function page(name, entry, out) {
  const config = base(name, 'web', 'chrome108');
  return {
    ...config,
    entry: { [name]: entry },
    output: { path: path.join(root, 'dist', out), filename: '[name].js', publicPath: './' },
    plugins: [
      ...(config.plugins ?? []),
      // One script a page, what the SDK loads on demand included.
      new webpack.optimize.LimitChunkCountPlugin({ maxChunks: 1 }),
      new MiniCssExtractPlugin({ filename: '[name].css' }),
      new HtmlWebpackPlugin({
        template: path.join(path.dirname(path.join(root, entry)), 'index.html'),
        scriptLoading: 'defer',
        minify: false,
      }),
    ],
  };
}

/** @type {Configuration} */
const reportClient = {
  ...base('report', 'web', 'es2022'),
  entry: { 'report-client': './src/report/client/index.ts' },
  output: { path: path.join(root, 'dist/report'), filename: '[name].js' },
  plugins: [new MiniCssExtractPlugin({ filename: '[name].css' })],
  devtool: false,
};

/** @type {Configuration[]} */
const all = [
  node(
    'cli',
    {
      'multipath-dash': './src/cli/main.ts',
      // Threads that simulate load this one.
      'experiment-worker': './src/runner/jobs/worker.ts',
    },
    'cli',
    'node20',
    'node20',
  ),
  node('app-main', { main: './src/app/main/main.ts' }, 'app', 'electron22-main', 'node16'),
  node(
    'app-preload',
    { preload: './src/app/preload/preload.ts' },
    'app',
    'electron22-preload',
    'chrome108',
  ),
  page('page', './src/page/page.ts', 'page'),
  page('shaka', './src/baseline/shaka/shaka.ts', 'baseline/shaka'),
  page('renderer', './src/app/renderer/renderer.ts', 'app/renderer'),
  reportClient,
];

export default all;
