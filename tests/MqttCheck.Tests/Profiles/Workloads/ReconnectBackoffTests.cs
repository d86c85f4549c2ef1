using MqttCheck.Profiles.Workloads;

namespace MqttCheck.Tests.Profiles.Workloads;

public sealed class ReconnectBackoffTests
{
    [Test]
    public void Waits_double_up_to_a_second() =>
        Assert.That(
            new[] { 0, 1, 2, 3, 4, 5, 6, int.MaxValue }.Select(ReconnectBackoff.Nanoseconds),
            Is.EqualTo(
                new[]
                {
                    50_000_000L,
                    100_000_000,
                    200_000_000,
                    400_000_000,
                    800_000_000,
                    1_000_000_000,
                    1_000_000_000,
                    1_000_000_000,
                }
            )
        );
}
