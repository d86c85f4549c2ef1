using System.Globalization;
using System.Net;
using MqttCheck.MqttNet.Server;
using MQTTnet.Server;

namespace MqttCheck.MqttNet.Tests.Server;

public sealed class MqttNetSettingsTests
{
    private static readonly IPEndPoint s_address = new(IPAddress.Loopback, 0);

    [Test]
    public void The_default_settings_are_those_of_the_package_but_for_the_address_and_sessions()
    {
        var package = Values(new MqttServerOptionsBuilder().WithDefaultEndpoint().Build());
        Assert.That(
            Differences(package, Values(MqttNetSettings.Create(s_address, isTuned: false))),
            Is.EquivalentTo(
                new[]
                {
                    "DefaultEndpointOptions.BoundInterNetworkAddress: 0.0.0.0 -> 127.0.0.1",
                    "DefaultEndpointOptions.BoundInterNetworkV6Address: :: -> 255.255.255.255",
                    "DefaultEndpointOptions.Port: 1883 -> 0",
                    "EnablePersistentSessions: False -> True",
                }
            )
        );
    }

    [Test]
    public void The_tuned_settings_change_three_things_and_the_list_of_brokers_says_so()
    {
        Assert.That(
            Differences(
                Values(MqttNetSettings.Create(s_address, isTuned: false)),
                Values(MqttNetSettings.Create(s_address, isTuned: true))
            ),
            Is.EquivalentTo(
                new[]
                {
                    "MaxPendingMessagesPerClient: 1000 -> 1000000",
                    "DefaultEndpointOptions.AllowPacketFragmentation: True -> False",
                    "DefaultEndpointOptions.ConnectionBacklog: 100 -> 4096",
                    // The endpoint with TLS is set alike, and not served.
                    "TlsEndpointOptions.AllowPacketFragmentation: True -> False",
                    "TlsEndpointOptions.ConnectionBacklog: 100 -> 4096",
                }
            )
        );
        Assert.That(
            MqttNetSettings.Changes,
            Does.Contain("sessions")
                .And.Contain("1000000")
                .And.Contain("(1000)")
                .And.Contain("one piece")
                .And.Contain("4096")
        );
    }

    [Test]
    public void What_the_run_information_says_is_what_is_set()
    {
        Assert.That(
            MqttNetSettings.Describe(isTuned: false),
            Is.EquivalentTo(
                new Dictionary<string, string>
                {
                    ["nodelay"] = "true",
                    ["persistent_sessions"] = "true",
                    ["max_pending_messages"] = "1000",
                    ["overflow"] = "DropOldestQueuedMessage",
                    ["packet_fragmentation"] = "true",
                    ["backlog"] = "100",
                }
            )
        );
        Assert.That(MqttNetSettings.Describe(isTuned: true)["max_pending_messages"], Is.EqualTo("1000000"));
        Assert.That(MqttNetSettings.Version, Does.Match(@"^5\.\d+\.\d+\.\d+$"));
    }

    private static IEnumerable<string> Differences(
        Dictionary<string, string> first,
        Dictionary<string, string> second
    ) =>
        first
            .Where(value => second[value.Key] != value.Value)
            .Select(value => $"{value.Key}: {value.Value} -> {second[value.Key]}");

    // Every public property, those of nested options with their path.
    private static Dictionary<string, string> Values(object options, string path = "") =>
        options
            .GetType()
            .GetProperties()
            .SelectMany(property =>
            {
                var value = property.GetValue(options);
                return value?.GetType() is { IsEnum: false } type && type.Assembly == typeof(MqttServer).Assembly
                    ? Values(value, $"{path}{property.Name}.").AsEnumerable()
                    :
                    [
                        KeyValuePair.Create(
                            path + property.Name,
                            Convert.ToString(value, CultureInfo.InvariantCulture) ?? ""
                        ),
                    ];
            })
            .ToDictionary();
}
