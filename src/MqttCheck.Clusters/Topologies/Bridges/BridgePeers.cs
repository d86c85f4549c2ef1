namespace MqttCheck.Clusters.Topologies.Bridges;

/// <summary>The brokers at the far ends of bridges, as far as they are known.</summary>
internal static class BridgePeers
{
    private static readonly BridgePeerTraits[] s_traits =
    [
        new("mosquitto", "Mosquitto", BridgeBitAnswer.Protects, "tried with Mosquitto 2.0.11") { IsTried = true },
        new(
            "vernemq",
            "VerneMQ",
            BridgeBitAnswer.Protects,
            "its source subscribes bridges without local messages (vmq_mqtt_fsm.erl); level 132 must be in "
                + "allowed_protocol_versions (https://github.com/eclipse-mosquitto/mosquitto/issues/1289)"
        )
        {
            Protection = "try_private true, and 132 in allowed_protocol_versions of VerneMQ's listener",
        },
        new(
            "emqx",
            "EMQX",
            BridgeBitAnswer.Accepts,
            "its source takes the bit for retained messages only (enrich_subopts in emqx_channel.erl), and "
                + "mqtt.ignore_loop_deliver is false by default (https://docs.emqx.com/en/emqx/latest/)"
        )
        {
            Protection = "mqtt.ignore_loop_deliver = true in EMQX, or bridge_protocol_version mqttv50",
        },
        new("nanomq", "NanoMQ", BridgeBitAnswer.Unknown, "no source tells how it answers the CONNECT of a bridge"),
        new(
            "hivemq",
            "HiveMQ",
            BridgeBitAnswer.Closes,
            "level 0x84 is an invalid protocol version to it "
                + "(https://github.com/hivemq/hivemq-community-edition/pull/739)"
        ),
        new(
            "rabbitmq",
            "RabbitMQ",
            BridgeBitAnswer.Closes,
            "tried with RabbitMQ 3.10.8, which closes connections with level 0x84 and with MQTT 5"
        )
        {
            IsTried = true,
            TakesVersion5 = false,
            Protection = "lines for different topics in each direction, since RabbitMQ 3.10 has no MQTT 5",
        },
        new(
            "aws-iot",
            "AWS IoT Core",
            BridgeBitAnswer.Unknown,
            "its documentation knows no bridges (https://docs.aws.amazon.com/iot/latest/developerguide/mqtt.html)"
        )
        {
            MostQos = 1,
            Protection = "lines for different topics in each direction",
        },
        new("other", "another broker", BridgeBitAnswer.Unknown, "the specification of MQTT 3.1.1 knows no bridges"),
    ];

    /// <summary>The names for the option <c>--broker</c>.</summary>
    public static IEnumerable<string> Names => s_traits.Select(traits => traits.Name);

    /// <summary>The traits of a broker.</summary>
    public static BridgePeerTraits Of(BridgePeer peer) => s_traits[(int)peer];

    /// <summary>The broker of a name of the option <c>--broker</c>; null if there is none.</summary>
    public static BridgePeer? Named(string name) =>
        Array.FindIndex(s_traits, traits => traits.Name == name) is >= 0 and var index ? (BridgePeer)index : null;

    /// <summary>Whether a host is one of AWS IoT Core: <c>a1-ats.iot.eu-west-1.amazonaws.com</c>.</summary>
    /// <param name="host">The name, in lower case.</param>
    public static bool IsAwsIot(string host) =>
        host.Contains(".iot.", StringComparison.Ordinal)
        && (
            host.EndsWith(".amazonaws.com", StringComparison.Ordinal)
            || host.EndsWith(".amazonaws.com.cn", StringComparison.Ordinal)
        );
}
