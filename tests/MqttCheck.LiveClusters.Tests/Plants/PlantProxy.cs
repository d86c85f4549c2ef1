using System.Net;
using System.Net.Sockets;
using MqttCheck.Protocol.Frames;

namespace MqttCheck.LiveClusters.Tests.Plants;

/// <summary>A proxy between the clients of one broker and that broker.</summary>
internal sealed class PlantProxy : IPlantPlace, IDisposable
{
    private const int MostPacketBytes = 1 << 20;

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

    /// <summary>The plant at this place.</summary>
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
                if (!await ConnectAsync(broker))
                {
                    client.Dispose();
                    continue;
                }
                (client.NoDelay, broker.NoDelay) = (true, true);
                var line = new PlantLine(this, (isDown, packet) => Send(isDown ? client : broker, packet));
                lock (_lines)
                    _lines.Add(line);
                _ = RunAsync(line, client, broker);
            }
        }
        catch (Exception failure) when (failure is SocketException or ObjectDisposedException)
        {
            // The test is over.
        }
    }

    // A broker may be down for a while, and its clients try again.
    private async Task<bool> ConnectAsync(Socket broker)
    {
        try
        {
            await broker.ConnectAsync(_broker);
            return true;
        }
        catch (SocketException)
        {
            broker.Dispose();
            return false;
        }
    }

    public void Later(Action act) =>
        _ = Task.Delay(TimeSpan.FromMilliseconds(500)).ContinueWith(_ => act(), TaskScheduler.Default);

    private static void Send(Socket to, byte[] packet)
    {
        try
        {
            to.Send(packet);
        }
        catch (Exception failure) when (failure is SocketException or ObjectDisposedException)
        {
            // The connection has ended meanwhile.
        }
    }

    private async Task RunAsync(PlantLine line, Socket client, Socket broker)
    {
        await Task.WhenAny(PumpAsync(line, client, isDown: false), PumpAsync(line, broker, isDown: true));
        client.Dispose();
        broker.Dispose();
    }

    private async Task PumpAsync(PlantLine line, Socket from, bool isDown)
    {
        var buffer = new byte[MostPacketBytes];
        var filled = 0;
        try
        {
            while (await from.ReceiveAsync(buffer.AsMemory(filled)) is > 0 and var count)
            {
                filled += count;
                var consumed = 0;
                while (Frame(buffer.AsSpan(consumed, filled - consumed)) is > 0 and var length)
                {
                    var packet = buffer.AsSpan(consumed, length).ToArray();
                    lock (_lines)
                        line.Pass(isDown, packet);
                    consumed += length;
                }
                buffer.AsSpan(consumed, filled - consumed).CopyTo(buffer);
                filled -= consumed;
            }
        }
        catch (Exception failure) when (failure is SocketException or ObjectDisposedException)
        {
            // The other direction has ended.
        }
    }

    private static int Frame(ReadOnlySpan<byte> bytes) =>
        PacketFrame.TryRead(bytes, MostPacketBytes, out var frame) == FrameStatus.Complete ? frame.TotalLength : 0;
}
