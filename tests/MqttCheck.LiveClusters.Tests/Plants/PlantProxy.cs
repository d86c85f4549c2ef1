using System.Net;
using System.Net.Sockets;

namespace MqttCheck.LiveClusters.Tests.Plants;

/// <summary>A proxy between the clients of one broker and that broker.</summary>
internal sealed class PlantProxy : IDisposable
{
    private readonly Socket _listener = new(SocketType.Stream, ProtocolType.Tcp);
    private readonly IPEndPoint _broker;
    private readonly List<PlantLine> _lines = [];

    /// <summary>Listens on a free port.</summary>
    public PlantProxy(IPEndPoint broker)
    {
        _broker = broker;
        _listener.Bind(new IPEndPoint(IPAddress.Loopback, 0));
        _listener.Listen();
        _ = AcceptAsync();
    }

    /// <summary>What goes wrong.</summary>
    public Plant Plant { get; set; } = Plant.Clean;

    public IPEndPoint Address => (IPEndPoint)_listener.LocalEndPoint!;

    public IReadOnlyList<PlantLine> Lines => _lines;

    public void Dispose() => _listener.Dispose();

    private async Task AcceptAsync()
    {
        try
        {
            while (true)
            {
                var client = await _listener.AcceptAsync();
                var broker = new Socket(SocketType.Stream, ProtocolType.Tcp);
                await broker.ConnectAsync(_broker);
                (client.NoDelay, broker.NoDelay) = (true, true);
                var line = new PlantLine(this, client, broker);
                lock (this)
                    _lines.Add(line);
                _ = line.RunAsync();
            }
        }
        catch (Exception failure) when (failure is SocketException or ObjectDisposedException)
        {
            // The test is over.
        }
    }
}
