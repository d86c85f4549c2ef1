using MqttCheck.Brokers.Wire;

namespace MqttCheck.Brokers.Tests.Wire;

/// <summary>
/// What every wire promises about stamps: they are the socket's, whatever lies between the socket and the handler.
/// </summary>
[TestFixtureSource(typeof(TestWires), nameof(TestWires.WithTransports))]
public sealed class WireStampTests(TestWire kind, TestTransport transport) : WireFixture(kind, transport)
{
    [Test]
    public void Stamps_lie_between_sending_and_handling_and_never_go_back()
    {
        var server = Serve(Echo);
        const int rounds = 300;
        // The kernel takes some milliseconds to begin with stamps.
        var kernelStamps = 0;
        var handled = new List<(long Sent, long Bound, ArrivalStamp Arrival, long Now)>();
        var done = new TaskCompletionSource<bool>();
        var stamp = default(SendStamp);
        var client = new ScriptedHandler
        {
            Connected = connection => connection.Send(new byte[20]),
            Sent = (_, sent) => stamp = sent,
            Bytes = (WireConnection connection, ReadOnlySpan<byte> bytes, in ArrivalStamp arrival) =>
            {
                if (bytes.Length < 20)
                    return 0;
                handled.Add((stamp.Nanoseconds, stamp.BoundNanoseconds, arrival, Wire.NowNanoseconds));
                if (arrival.FromKernel)
                    kernelStamps++;
                if (handled.Count < rounds || (Kind.HasKernelStamps() && kernelStamps < rounds))
                    connection.Send(new byte[20]);
                else
                    done.SetResult(true);
                return bytes.Length;
            },
        };
        Connect(server, client);
        Thread.Wait(done.Task);
        Assert.That(handled.Select(round => round.Bound), Is.All.GreaterThanOrEqualTo(0));
        Assert.That(
            handled.Where(round => round.Sent - round.Bound > round.Arrival.Nanoseconds),
            Is.Empty,
            "no answer arrives before its request was sent"
        );
        Assert.That(
            handled.Where(round => round.Arrival.Nanoseconds > round.Now),
            Is.Empty,
            "no answer is handled before it arrives"
        );
        Assert.That(handled.Select(round => round.Arrival.Nanoseconds), Is.Ordered);
        var first = handled.FindIndex(round => round.Arrival.FromKernel);
        if (Kind.HasKernelStamps())
            Assert.That(
                handled.Skip(first).Where(round => !round.Arrival.FromKernel),
                Is.Empty,
                "once it stamps, it stamps all"
            );
    }
}
