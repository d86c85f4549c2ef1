using System.Reflection;
using MqttCheck.Brokers.Wire;
using MQTTnet;

namespace MqttCheck.MqttNet.Client;

/// <summary>
/// MQTTnet's client as the client whose latency is measured, which is the latency of a .NET application.
/// </summary>
public static class MqttNetClient
{
    /// <summary>Its name on the command line.</summary>
    public const string Name = "mqttnet";

    /// <summary>The client, for fleets, loads and campaigns.</summary>
    public static ClientKind Kind { get; } =
        new(Name, CreateWire)
        {
            Version =
                typeof(MqttClient)
                    .Assembly.GetCustomAttribute<AssemblyInformationalVersionAttribute>()
                    ?.InformationalVersion.Split('+')[0]
                ?? "",
            // The library leaves out a session expiry interval of 0, which in DISCONNECT differs from none.
            CanDropSessionWhenLeaving = false,
            WhyNoKernelStamps = "MQTTnet owns its sockets, and its times are those of its calls",
        };

    /// <summary>Makes an event loop whose connections are MQTTnet clients.</summary>
    /// <param name="options">Its settings.</param>
    /// <exception cref="InputException">A setting is out of range, or is not for a client library.</exception>
    public static IWire CreateWire(WireOptions options)
    {
        ArgumentNullException.ThrowIfNull(options);
        if (options.KernelSendStamps)
            throw new InputException(
                $"Kernel stamps of requests: given with client {Name}; allowed: "
                    + $"only with {ClientKind.Own.Name}, because {Kind.WhyNoKernelStamps}."
            );
        return new MqttNetWire(options);
    }
}
