using System.Net;
using MqttCheck.Brokers.Fleets.Machine;

namespace MqttCheck.Brokers.Tests.Fleets.Machine;

public sealed class SystemLimitsTests
{
    private static readonly IPEndPoint s_broker = new(IPAddress.Loopback, 1883);

    // What proc(5) shows.
    private const string Limits = """
        Limit                     Soft Limit           Hard Limit           Units
        Max processes             95965                95965                processes
        Max open files            1024                 1048576              files
        Max locked memory         8388608              8388608              bytes
        """;

    [Test]
    public void Limits_are_read_from_the_system()
    {
        Assert.That(SystemLimits.Descriptors(Limits), Is.EqualTo(1024));
        Assert.That(
            SystemLimits.Descriptors(Limits.Replace("1024     ", "unlimited", StringComparison.Ordinal)),
            Is.Null
        );
        Assert.That(SystemLimits.Ports("32768\t60999\n"), Is.EqualTo(28_232));
        Assert.That(SystemLimits.Ports("?"), Is.Null);
    }

    [TestCase(940, 1024L, 20L, null, true)]
    [TestCase(941, 1024L, 20L, null, false)]
    [TestCase(20_000, null, 0L, 20_000L, true)]
    [TestCase(20_000, null, 0L, 19_999L, false)]
    [TestCase(20_000, null, 0L, null, true)]
    public void More_clients_than_descriptors_or_ports_allow_are_found(
        int clients,
        long? descriptors,
        long inUse,
        long? ports,
        bool fits
    ) =>
        Assert.That(
            SystemLimits.Check(clients, s_broker, descriptors, inUse, ports),
            fits ? Is.Empty : Has.Count.EqualTo(1)
        );

    [Test]
    public void More_connections_than_this_machine_has_ports_are_refused_before_the_broker_is_known() =>
        Assert.That(
            () => SystemLimits.Require(100_000),
            Throws
                .InstanceOf<InputException>()
                .With.Message.Contains("100000 given")
                .And.Message.Contains("allowed: at most")
        );

    [Test]
    public void A_few_connections_are_not_refused() => Assert.That(() => SystemLimits.Require(10), Throws.Nothing);

    [Test]
    public void Findings_name_what_is_allowed() =>
        Assert.That(
            SystemLimits.Check(2000, s_broker, 1024, 20, 1000),
            Is.EqualTo(
                new[]
                {
                    "Clients: 2000 given; allowed: at most 940, since this process may have 1024 "
                        + "descriptors and needs 84 for other things; raise the limit with 'ulimit -n'.",
                    "Clients: 2000 given; allowed: at most 1000 connections to "
                        + "127.0.0.1:1883, one for each local port of net.ipv4.ip_local_port_range.",
                }
            )
        );
}
