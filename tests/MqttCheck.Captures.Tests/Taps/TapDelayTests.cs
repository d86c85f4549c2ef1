using System.Diagnostics;
using System.Net;
using System.Net.Sockets;
using MqttCheck.Brokers.Processes;
using MqttCheck.Captures.Taps;

namespace MqttCheck.Captures.Tests.Taps;

/// <summary>Measures how much later answers come through a tap.</summary>
[TestFixture]
internal sealed class TapDelayTests : DirectoryFixture
{
    private const int Trips = 4000;

    private readonly Talk _talk = new();

    // A measurement, printed for the page with the evidence; the times of a busy machine prove nothing.
    [Test]
    [Explicit]
    public async Task How_much_later_a_PUBACK_comes_through_a_tap()
    {
        Missing.Require("mosquitto", "apt-get install mosquitto");
        await using var broker = await new BrokerLauncher(new()).StartAsync(
            BrokerSpecification.Parse("mosquitto"),
            CancellationToken.None
        );
        await using var tap = Tap.Start(
            new(new(new IPEndPoint(IPAddress.Loopback, 0)), new(broker.Address), In("tap.csv"), "1.2.3")
        );
        using var direct = Open(broker.Address);
        using var over = Open(tap.Address);
        var (without, with) = (new List<double>(), new List<double>());
        for (var trip = 0; trip < Trips; trip++)
        {
            without.Add(RoundTrip(direct, trip));
            with.Add(RoundTrip(over, trip));
        }
        Print("direct", without);
        Print("tap", with);
        var summary = await tap.EndAsync();
        Assert.That(summary!.Counts.Exchanges, Is.EqualTo(Trips + 1));
    }

    private static void Print(string name, List<double> times)
    {
        times.Sort();
        TestContext.Out.WriteLine(
            FormattableString.Invariant(
                $"{name}: {times[Trips / 2]:0.0} us at the median, {times[Trips * 99 / 100]:0.0} us at p99"
            )
        );
    }

    private Socket Open(IPEndPoint address)
    {
        var socket = new Socket(AddressFamily.InterNetwork, SocketType.Stream, ProtocolType.Tcp) { NoDelay = true };
        socket.Connect(address);
        socket.Send(_talk.Connect($"c{address.Port}"));
        Receive(socket, _talk.Connack().Length);
        return socket;
    }

    private double RoundTrip(Socket socket, int trip)
    {
        var packet = _talk.Publish("x/y", "twenty bytes of text", 1, trip + 1);
        var start = Stopwatch.GetTimestamp();
        socket.Send(packet);
        Receive(socket, _talk.Puback(1).Length);
        return Stopwatch.GetElapsedTime(start).TotalMicroseconds;
    }

    private static void Receive(Socket socket, int bytes)
    {
        Span<byte> buffer = stackalloc byte[64];
        for (var got = 0; got < bytes; )
            got += socket.Receive(buffer[got..bytes]);
    }
}
