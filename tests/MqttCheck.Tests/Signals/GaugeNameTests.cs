using MqttCheck.Signals;

namespace MqttCheck.Tests.Signals;

/// <summary>Names of Prometheus as a name and a unit.</summary>
[TestFixture]
internal sealed class GaugeNameTests
{
    [TestCase("mqttcheck_measured_ratio", "mqttcheck.measured", "1")]
    [TestCase("mqttcheck_bench_latency_seconds", "mqttcheck.bench_latency", "s")]
    [TestCase("mqttcheck_bench_in_messages_per_second", "mqttcheck.bench_in_messages", "{message}/s")]
    [TestCase("mqttcheck_runs", "mqttcheck.runs", "")]
    public void The_ending_is_the_unit(string prometheus, string name, string unit) =>
        Assert.That(GaugeName.Of(prometheus), Is.EqualTo((name, unit)));
}
