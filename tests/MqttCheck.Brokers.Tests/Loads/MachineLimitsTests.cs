using System.Net;
using MqttCheck.Brokers.Loads;

namespace MqttCheck.Brokers.Tests.Loads;

public sealed class MachineLimitsTests
{
    private static readonly IPEndPoint s_broker = new(IPAddress.Loopback, 1883);

    [Test]
    public void Limits_are_read_from_the_texts_of_the_kernel()
    {
        // cat /proc/self/limits on Linux 6.1
        const string limits = "Limit                     Soft Limit           Hard Limit           Units     \n"
            + "Max cpu time              unlimited            unlimited            seconds   \nMax open files            1024                 524288               files     \n";
        Assert.That(MachineLimits.ParseDescriptors(limits), Is.EqualTo(1024));
        Assert.That(MachineLimits.ParseDescriptors("Max open files            unlimited            unlimited            files     \n"), Is.Null);
        Assert.That(MachineLimits.ParsePorts("32768\t60999\n"), Is.EqualTo(28232));
        Assert.That(MachineLimits.ParsePorts(""), Is.Null);
    }

    [Test]
    public void More_connections_than_the_limits_allow_are_one_message()
    {
        var limits = new MachineLimits(1024, 28232);
        Assert.That(limits.Problem(800, s_broker), Is.Null);
        Assert.That(limits.Problem(1000, s_broker), Does.Contain("1024").And.Contain("ulimit -n"));
        Assert.That(new MachineLimits(null, 28232).Problem(30000, s_broker), Does.Contain("28232").And.Contain("ip_local_port_range"));
        Assert.That(new MachineLimits(null, null).Problem(60000, s_broker), Is.Null);
    }
}
