using System.Diagnostics;
using System.Net;
using System.Net.Sockets;
using MqttCheck.LiveClusters.Links;
using MqttCheck.Protocol;
using MqttCheck.Protocol.Encoders;
using MqttCheck.Protocol.Packets;
using MqttCheck.Statistics.Laws;
using static System.FormattableString;

namespace MqttCheck.Benchmarks.Clusters;

/// <summary>What links cost and how exact they are: idle round trips, a delay, packets each second, a rate.</summary>
internal static class LinkSpeed
{
    private const int RoundTrips = 5000;
    private const int Packets = 400_000;

    public static async Task<int> RunAsync()
    {
        var idle = await LinkOverhead.MeasureAsync(RoundTrips);
        Console.WriteLine(
            Invariant($"idle link: round trip p50 {idle.DirectMedianMicroseconds:0.0} us without, ")
                + Invariant($"{idle.LinkMedianMicroseconds:0.0} us with; p99 {idle.DirectP99Microseconds:0.0} us, ")
                + Invariant($"{idle.LinkP99Microseconds:0.0} us")
        );
        Console.WriteLine(
            Invariant($"idle link, the way there: p99 {idle.DirectThereP99Microseconds:0.0} us without, ")
                + Invariant($"{idle.LinkThereP99Microseconds:0.0} us with")
        );
        var delayed = await LinkOverhead.MeasureAsync(200, new LinkLaw { DelayMilliseconds = new ConstantLaw(20) });
        Console.WriteLine(
            Invariant($"constant:20ms each way: round trip p50 {delayed.LinkMedianMicroseconds / 1e3:0.000} ms")
        );
        Console.WriteLine(Invariant($"PUBLISH of 100 bytes: {await ThroughputAsync(new LinkLaw()):0} packets/s"));
        var limited = new LinkLaw { BitsPerSecond = 10e6 };
        Console.WriteLine(Invariant($"rate 10 Mbit: {await RateAsync(limited) / 1e6:0.000} Mbit/s"));
        return 0;
    }

    private static async Task<double> ThroughputAsync(LinkLaw law)
    {
        var publish = PacketEncoder.Encode(
            new PublishPacket { Topic = "bench/1", Payload = new Bytes(new byte[100]) },
            ProtocolVersion.V311
        );
        byte[] connect =
        [
            .. PacketEncoder.Encode(
                new ConnectPacket { ProtocolVersion = ProtocolVersion.V311, ClientId = "b" },
                ProtocolVersion.V311
            ),
        ];
        byte[] batch = [.. Enumerable.Repeat(publish.ToArray(), 50).SelectMany(bytes => bytes)];
        var (seconds, counted) = await PumpAsync(law, connect, batch, Packets / 50);
        if (counted.PacketsOf(PacketType.Publish) != Packets)
            throw new InvalidOperationException(Invariant($"{counted.PacketsOf(PacketType.Publish)} packets counted"));
        return Packets / seconds;
    }

    private static async Task<double> RateAsync(LinkLaw law)
    {
        const int pieces = 400;
        var (seconds, counted) = await PumpAsync(law, [0], new byte[12_500], pieces);
        return counted.Bytes * 8 / seconds;
    }

    private static async Task<(double Seconds, LinkCounters Counters)> PumpAsync(
        LinkLaw law,
        byte[] first,
        byte[] piece,
        int pieces
    )
    {
        using var server = new Socket(AddressFamily.InterNetwork, SocketType.Stream, ProtocolType.Tcp);
        server.Bind(new IPEndPoint(IPAddress.Loopback, 0));
        server.Listen();
        await using var links = new LinkLoop(observer: null);
        links.Network.Add(0, 1, law, seed: 1);
        var relay = links.Network.Listen(0, 1, new IPEndPoint(IPAddress.Loopback, 0));
        links.Network.SetTarget(0, 1, (IPEndPoint)server.LocalEndPoint!);
        links.Start();
        using var client = new Socket(AddressFamily.InterNetwork, SocketType.Stream, ProtocolType.Tcp);
        client.Connect(relay);
        using var end = await server.AcceptAsync();
        client.Send(first);
        var expected = first.Length + (long)piece.Length * pieces;
        var clock = Stopwatch.StartNew();
        var sending = Task.Run(() =>
        {
            for (var i = 0; i < pieces; i++)
                client.Send(piece);
        });
        await Task.Run(() =>
        {
            var buffer = new byte[1 << 16];
            for (var got = 0L; got < expected; )
                got += end.Receive(buffer);
        });
        var seconds = clock.Elapsed.TotalSeconds;
        await sending;
        return (seconds, await links.InvokeAsync(network => network[0, 1].Counters.Snapshot()));
    }
}
