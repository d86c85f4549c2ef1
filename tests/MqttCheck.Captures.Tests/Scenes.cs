using System.Globalization;
using MqttCheck.Protocol;

namespace MqttCheck.Captures.Tests;

/// <summary>Conversations that several tests read.</summary>
internal static class Scenes
{
    /// <summary>
    /// A dashboard that subscribes with a wildcard, and a sensor that publishes at QoS 1 and goes: 3 + publications
    /// exchanges, each a multiple of 100 us long.
    /// </summary>
    public static WireTraffic Plant(
        int publications = 5,
        ProtocolVersion version = ProtocolVersion.V311,
        string client = "192.0.2.7",
        string broker = "192.0.2.1",
        int size = 8,
        int port = 1883,
        WireTraffic? traffic = null
    )
    {
        traffic ??= new WireTraffic();
        var talk = new Talk(version);
        var dashboard = traffic.Connection(50_001, port, client, broker).Open();
        dashboard.Send(true, talk.Connect("dashboard")).Send(false, talk.Connack());
        dashboard.Send(true, talk.Subscribe(1, "plant/+/temp")).Send(false, talk.Suback(1));
        var sensor = traffic.Connection(50_002, port, client, broker).Open();
        sensor.Send(true, talk.Connect("sensor")).Send(false, talk.Connack());
        for (var i = 1; i <= publications; i++)
        {
            var payload = i.ToString(CultureInfo.InvariantCulture).PadLeft(size, '.');
            sensor.Send(true, talk.Publish("plant/7/temp", payload, 1, i));
            sensor.Send(false, talk.Puback(i));
            dashboard.Send(false, talk.Publish("plant/7/temp", payload, 1, i));
            dashboard.Send(true, talk.Puback(i));
            traffic.Wait(10_000);
        }
        sensor.Send(true, talk.Disconnect()).Close(false).Close(true);
        return traffic;
    }
}
