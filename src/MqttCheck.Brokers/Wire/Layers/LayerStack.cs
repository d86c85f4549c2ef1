using MqttCheck.Brokers.Wire.Tls;
using MqttCheck.Brokers.Wire.WebSockets;

namespace MqttCheck.Brokers.Wire.Layers;

/// <summary>Puts the layers of a connection on each other.</summary>
internal static class LayerStack
{
    /// <summary>Begins to connect.</summary>
    /// <param name="loop">The loop.</param>
    /// <param name="endpoint">The address and transport of the connection.</param>
    /// <param name="handler">Who is told.</param>
    /// <returns>The connection as the handler sees it.</returns>
    public static WireConnection Connect(EventLoop loop, WireEndpoint endpoint, IWireHandler handler)
    {
        var deadline = loop.NowNanoseconds + MonotonicClock.Nanoseconds(endpoint.ConnectTimeout);
        WebSocketLayer? webSocket = null;
        TlsLayer? tls = null;
        if (endpoint.WebSocket is { } options)
        {
            webSocket = new WebSocketLayer(
                loop,
                handler,
                deadline,
                new WebSocketClientHandshake(options, endpoint.Address)
            );
            handler = webSocket;
        }
        if (endpoint.Tls is { } security)
        {
            tls = new TlsLayer(loop, handler, deadline, new TlsClientSession(security, endpoint.Address));
            handler = tls;
        }
        var connection = loop.ConnectTransport(endpoint, handler);
        tls?.Attach(connection);
        webSocket?.Attach(tls ?? connection);
        return webSocket ?? tls ?? connection;
    }

    /// <summary>Makes the factory of handlers for accepted connections.</summary>
    /// <param name="loop">The loop.</param>
    /// <param name="listener">The transport to serve.</param>
    /// <param name="accept">Makes the handler above the layers; null turns the connection away.</param>
    public static Func<IWireHandler?> Accept(EventLoop loop, WireListener listener, Func<IWireHandler?> accept)
    {
        if (listener.Tls is null && listener.WebSocket is null)
            return accept;
        var timeout = MonotonicClock.Nanoseconds(listener.HandshakeTimeout);
        return () =>
        {
            var deadline = loop.NowNanoseconds + timeout;
            var handler = accept();
            if (handler is null)
                return null;
            if (listener.WebSocket is { } options)
                handler = new WebSocketLayer(loop, handler, deadline, new WebSocketServerHandshake(options));
            if (listener.Tls is { } security)
                handler = new TlsLayer(loop, handler, deadline, new TlsServerSession(security));
            return handler;
        };
    }
}
