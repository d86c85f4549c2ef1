using MqttCheck.Protocol;
using MqttCheck.Protocol.Decoders;
using MqttCheck.Protocol.Encoders;

namespace MqttCheck.Tests.Protocol.Fuzzing;

public sealed class PacketFuzzerTests
{
    [Test]
    public void One_hundred_thousand_random_and_mutated_byte_strings_do_no_harm()
    {
        var report = PacketFuzzer.Run(seed: 1, cases: 100_000, CancellationToken.None);
        TestContext.Out.WriteLine(report);
        Assert.That(report.Failures, Is.Empty);
        Assert.That(report.Cases, Is.EqualTo(100_000));
        // Mutations that leave a packet legal are wanted too, else the comparison of accepted packets would be idle.
        Assert.That(report.Accepted, Is.InRange(5_000, 50_000));
    }
}
