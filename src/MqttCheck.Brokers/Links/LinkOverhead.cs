using System.Net;
using System.Net.Sockets;
using MqttCheck.Brokers.Wire;

namespace MqttCheck.Brokers.Links;

/// <summary>What an idle link adds to a round trip on this machine: half of it in each direction.</summary>
/// <param name="DirectMedianMicroseconds">The median round trip without a link.</param>
/// <param name="DirectP99Microseconds">Its 99th percentile.</param>
/// <param name="LinkMedianMicroseconds">The median round trip over a link without delay.</param>
/// <param name="LinkP99Microseconds">Its 99th percentile.</param>
public sealed record LinkOverhead(
    double DirectMedianMicroseconds,
    double DirectP99Microseconds,
    double LinkMedianMicroseconds,
    double LinkP99Microseconds
)
{
    private const int Warm = 200;

    /// <summary>Measures it: round trips of a few bytes, one directly and one over a link in turn.</summary>
    /// <param name="roundTrips">How many of each, at least 100.</param>
    /// <param name="law">What the link does; null for nothing.</param>
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
        var (withoutLink, withLink) = (new double[roundTrips], new double[roundTrips]);
        for (var trip = -Warm; trip < roundTrips; trip++)
        {
            cancellation.ThrowIfCancellationRequested();
            var (first, second) = (RoundTrip(direct, directEnd), RoundTrip(over, overEnd));
            if (trip >= 0)
                (withoutLink[trip], withLink[trip]) = (first, second);
        }
        Array.Sort(withoutLink);
        Array.Sort(withLink);
        return new(
            Quantile(withoutLink, 0.5),
            Quantile(withoutLink, 0.99),
            Quantile(withLink, 0.5),
            Quantile(withLink, 0.99)
        );
    }

    private static double Quantile(double[] sorted, double share) => sorted[(int)(share * (sorted.Length - 1))];

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
    private static double RoundTrip(Socket client, Socket server)
    {
        Span<byte> bytes = stackalloc byte[64];
        var start = MonotonicClock.NowNanoseconds;
        client.Send(bytes);
        Receive(server, bytes);
        server.Send(bytes);
        Receive(client, bytes);
        return (MonotonicClock.NowNanoseconds - start) / 1e3;
    }

    private static void Receive(Socket socket, Span<byte> bytes)
    {
        for (var got = 0; got < bytes.Length; )
            got += socket.Receive(bytes[got..]);
    }
}
