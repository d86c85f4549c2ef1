using System.Net;
using System.Net.Sockets;

namespace MqttCheck.AcceptanceTests;

/// <summary>A listener that does to each connection what a test says; no broker.</summary>
internal sealed class FakeBroker : IDisposable
{
    private readonly TcpListener _listener = new(IPAddress.Loopback, 0);
    private readonly List<Socket> _open = [];
    private readonly Action<Socket> _serve;

    /// <summary>Starts to listen.</summary>
    /// <param name="serve">What happens to a connection after its first bytes have arrived.</param>
    public FakeBroker(Action<Socket> serve)
    {
        _serve = serve;
        _listener.Start();
        _ = AcceptAsync();
    }

    /// <summary>The address as the tool takes it.</summary>
    public string Address => $"mqtt://{_listener.LocalEndpoint}";

    /// <summary>An address at which nothing listens.</summary>
    public static string NoAddress()
    {
        var listener = new TcpListener(IPAddress.Loopback, 0);
        listener.Start();
        var address = $"mqtt://{listener.LocalEndpoint}";
        listener.Stop();
        return address;
    }

    public void Dispose()
    {
        _listener.Dispose();
        lock (_open)
            foreach (var socket in _open)
                socket.Dispose();
    }

    private async Task AcceptAsync()
    {
        var buffer = new byte[1024];
        try
        {
            while (true)
            {
                var socket = await _listener.AcceptSocketAsync();
                lock (_open)
                    _open.Add(socket);
                if (await socket.ReceiveAsync(buffer) > 0)
                    _serve(socket);
            }
        }
        catch (Exception exception) when (exception is SocketException or ObjectDisposedException)
        {
            // The listener was closed, or the tool left.
        }
    }
}
