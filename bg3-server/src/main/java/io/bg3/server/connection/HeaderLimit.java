package io.bg3.server.connection;

import io.netty.handler.codec.http.DefaultHttpHeaders;
import io.netty.handler.codec.http.DefaultHttpHeadersFactory;
import io.netty.handler.codec.http.HttpDecoderConfig;
import io.netty.handler.codec.http.HttpHeaders;
import io.netty.handler.codec.http.HttpHeadersFactory;
import io.netty.handler.codec.http.TooLongHttpHeaderException;

/**
 * Bounds the headers of a request by their number. A limit of bytes alone admits thousands of empty
 * headers, each of which is an object of more than a hundred bytes.
 *
 * <p>Threads: any, without state.
 */
public final class HeaderLimit {
  /** Headers of a request at most; browsers and drivers send about twenty. */
  static final int HEADERS = 100;

  private HeaderLimit() {}

  /**
   * The configuration of a decoder whose requests have at most {@value #HEADERS} headers. The
   * decoder makes a request with more of them an invalid one.
   *
   * @param line characters of the first line at most
   * @param header characters of all headers together at most
   * @param chunk bytes of a part of the body at most
   */
  public static HttpDecoderConfig config(int line, int header, int chunk) {
    return new HttpDecoderConfig()
        .setMaxInitialLineLength(line)
        .setMaxHeaderSize(header)
        .setMaxChunkSize(chunk)
        .setHeadersFactory(new Limited(DefaultHttpHeadersFactory.headersFactory()))
        .setTrailersFactory(new Limited(DefaultHttpHeadersFactory.trailersFactory()));
  }

  /** Makes headers that refuse to become too many. */
  private record Limited(DefaultHttpHeadersFactory factory) implements HttpHeadersFactory {
    @Override
    public HttpHeaders newHeaders() {
      return new LimitedHeaders(factory);
    }

    @Override
    public HttpHeaders newEmptyHeaders() {
      return new LimitedHeaders(factory);
    }
  }

  private static final class LimitedHeaders extends DefaultHttpHeaders {
    LimitedHeaders(DefaultHttpHeadersFactory factory) {
      super(factory.getNameValidator(), factory.getValueValidator());
    }

    @Override
    public HttpHeaders add(CharSequence name, Object value) {
      if (size() >= HEADERS) {
        throw new TooLongHttpHeaderException("too many headers: most=" + HEADERS);
      }
      return super.add(name, value);
    }
  }
}
