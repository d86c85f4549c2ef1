using System.Net;
using System.Net.Sockets;
using MqttCheck.Brokers.Wire;

namespace MqttCheck.LiveClusters.Links;

/// <summary>The overhead of an idle link on this machine, for a round trip and for the way there.</summary>
/// <param name="DirectMedianMicroseconds">The median round trip without a link.</param>
/// <param name="DirectP99Microseconds">Its 99th percentile.</param>
/// <param name="LinkMedianMicroseconds">The median round trip over a link.</param>
/// <param name="LinkP99Microseconds">Its 99th percentile.</param>
/// <param name="DirectThereP99Microseconds">The 99th percentile of the way there without a link.</param>
/// <param name="LinkThereP99Microseconds">The same over a link.</param>
internal sealed record LinkOverhead(
    double DirectMedianMicroseconds,
    double DirectP99Microseconds,
    double LinkMedianMicroseconds,
    double LinkP99Microseconds,
    double DirectThereP99Microseconds,
    double LinkThereP99Microseconds
)
{
    private const int Warm = 200;

    /// <summary>Measures it: round trips of a few bytes, one directly and one over a link in turn.</summary>
    /// <param name="roundTrips">How many of each, at least 100.</param>
    /// <param name="law">The law of the link; null for an idle one.</param>
    /// <param name="cancellation">Gives up.</param>
    /// <exception cref="WireException">The system refuses descriptors.</exception>
    public static async Task<LinkOverhead> MeasureAsync(
        int roundTrips,
        LinkLaw? law = null,
        CancellationToken cancellation = default
    )
    {
        using var server = new Socket(AddressFamily.InterNetwork, SocketType.Stream, ProtocolType.Tcp);
        server.Bind(new IPEndPoint(IPAddress.Loopback, 0));
        server.Listen();
        var target = (IPEndPoint)server.LocalEndPoint!;
        await using var links = new LinkLoop(observer: null);
        links.Network.Add(0, 1, law ?? new LinkLaw(), seed: 1);
        var relay = links.Network.Listen(0, 1, new IPEndPoint(IPAddress.Loopback, 0));
        links.Network.SetTarget(0, 1, target);
        links.Start();
        using var direct = Open(target);
        using var directEnd = await AcceptAsync(server, cancellation);
        using var over = Open(relay);
        using var overEnd = await AcceptAsync(server, cancellation);
        var (withoutLink, withLink) = (new Trips(roundTrips), new Trips(roundTrips));
        for (var trip = -Warm; trip < roundTrips; trip++)
        {
            cancellation.ThrowIfCancellationRequested();
            RoundTrip(direct, directEnd, withoutLink, trip);
            RoundTrip(over, overEnd, withLink, trip);
        }
        return new(
            Quantile(withoutLink.Whole, 0.5),
            Quantile(withoutLink.Whole, 0.99),
            Quantile(withLink.Whole, 0.5),
            Quantile(withLink.Whole, 0.99),
            Quantile(withoutLink.There, 0.99),
            Quantile(withLink.There, 0.99)
        );
    }

    private static double Quantile(double[] values, double share) =>
        values.Order().ElementAt((int)(share * (values.Length - 1)));

    private static Socket Open(IPEndPoint address)
    {
        var socket = new Socket(AddressFamily.InterNetwork, SocketType.Stream, ProtocolType.Tcp) { NoDelay = true };
        socket.Connect(address);
        return socket;
    }

    private static async Task<Socket> AcceptAsync(Socket server, CancellationToken cancellation)
    {
        var socket = await server.AcceptAsync(cancellation);
        socket.NoDelay = true;
        return socket;
    }

    // One thread is both ends, so that only the link can add a change of threads.
    private static void RoundTrip(Socket client, Socket server, Trips trips, int trip)
    {
        Span<byte> bytes = stackalloc byte[64];
        var start = MonotonicClock.NowNanoseconds;
        client.Send(bytes);
        Receive(server, bytes);
        var there = MonotonicClock.NowNanoseconds;
        server.Send(bytes);
        Receive(client, bytes);
        if (trip < 0)
            return;
        trips.There[trip] = (there - start) / 1e3;
        trips.Whole[trip] = (MonotonicClock.NowNanoseconds - start) / 1e3;
    }

    private static void Receive(Socket socket, Span<byte> bytes)
    {
        for (var got = 0; got < bytes.Length; )
            got += socket.Receive(bytes[got..]);
    }

    private sealed class Trips(int count)
    {
        public double[] There { get; } = new double[count];

        public double[] Whole { get; } = new double[count];
    }
}
