using MqttCheck.Json;

namespace MqttCheck.Logs;

/// <summary>The broker and the machine, in the file beside a log and in model files.</summary>
internal static class EnvironmentKinds
{
    private const string Unknown = "unknown";

    /// <summary>A broker.</summary>
    public static JsonKind<LoggedBroker> Broker { get; } =
        JsonFormat.Of<LoggedBroker>(fields =>
            new(
                fields.Required("name", JsonKinds.Text, broker => broker.Name),
                fields.Optional("version", JsonKinds.Text, broker => broker.Version, Unknown, always: true),
                fields.Optional("settings", JsonKinds.Text, broker => broker.Settings, Unknown, always: true),
                fields.Optional(
                    "details",
                    JsonKinds.Details,
                    broker => broker.Details,
                    LoggedBroker.Unknown.Details,
                    always: true
                )
            )
        );

    /// <summary>A machine.</summary>
    public static JsonKind<MachineInformation> Machine { get; } =
        JsonFormat.Of<MachineInformation>(fields =>
            new(
                fields.Optional("operatingSystem", JsonKinds.Text, of => of.OperatingSystem, Unknown, always: true),
                fields.Optional("cores", JsonKinds.Integer(0), of => of.Cores, 0, always: true),
                fields.Optional("processor", JsonKinds.Text, of => of.Processor, Unknown, always: true),
                fields.Optional("runtime", JsonKinds.Text, of => of.Runtime, Unknown, always: true)
            )
        );
}
