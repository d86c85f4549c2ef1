using MqttCheck.Broker.Delays;
using MqttCheck.Brokers.Embedded;
using MqttCheck.Brokers.Processes;

namespace MqttCheck.Testing;

/// <summary>Starts, or reaches, the broker of a test.</summary>
public static class TestBroker
{
    private const string VariablePrefix = "env:";

    /// <summary>
    /// Starts or reaches a broker, and returns when it accepts a client. A broker that <see
    /// cref="BrokerException.IsMissing"/> is a reason to skip a test.
    /// </summary>
    /// <param name="specification">
    /// <c>embedded</c> (in this process; <c>embedded:nodelay</c> whatever delay the environment asks for),
    /// <c>mosquitto</c>, <c>rabbitmq</c>, <c>ejabberd</c>, <c>nats</c> (installed, started here; each also with
    /// <c>:tuned</c>), <c>mqtt://HOST:PORT</c> (running), <c>exec:"COMMAND {port}"</c> (your program), or
    /// <c>env:NAME</c>, the environment variable that holds one of these; <c>env:NAME|embedded</c> says what to take
    /// where it is not set.
    /// </param>
    /// <param name="options">How; by default as the environment says.</param>
    /// <param name="cancellation">Gives up.</param>
    /// <exception cref="InputException">
    /// The specification is none of these, or the broker is on another machine and that is not allowed.
    /// </exception>
    /// <exception cref="BrokerException">
    /// It is missing (a program that is not installed, an environment variable that is not set), does not start, does
    /// not answer, or refuses the credentials.
    /// </exception>
    public static async Task<IBrokerUnderTest> StartAsync(
        string specification,
        TestBrokerOptions? options = null,
        CancellationToken cancellation = default
    )
    {
        ArgumentNullException.ThrowIfNull(specification);
        options ??= TestBrokerOptions.FromEnvironment();
        var prefix = PrefixedBroker.Checked(options.TopicPrefix, nameof(TestBrokerOptions.TopicPrefix));
        return PrefixedBroker.Of(
            await StartAsync(BrokerSpecification.Parse(Resolve(specification)), options, cancellation),
            prefix
        );
    }

    /// <summary>
    /// The environment variable that names the broker, for <see cref="TestHost.Variables"/>; null where none does.
    /// </summary>
    /// <param name="specification">The specification, such as <c>env:NAME|embedded</c>.</param>
    public static string? VariableOf(string specification)
    {
        ArgumentNullException.ThrowIfNull(specification);
        return specification.StartsWith(VariablePrefix, StringComparison.Ordinal)
            ? specification[VariablePrefix.Length..].Split('|', 2)[0]
            : null;
    }

    private static async Task<IBrokerUnderTest> StartAsync(
        BrokerSpecification broker,
        TestBrokerOptions options,
        CancellationToken cancellation
    )
    {
        if (broker.Kind == BrokerKind.Embedded)
        {
            var delays = broker.IsWithoutDelay ? DelayPlan.None : options.Delay;
            return EmbeddedBroker.Start(
                new()
                {
                    Delays = delays,
                    Broker = new() { Faults = options.Faults },
                }
            );
        }
        if (broker.Kind == BrokerKind.MqttNet)
            throw new BrokerException(HowToServeMqttNet(broker));
        var launch = new BrokerLaunchOptions
        {
            Credentials = options.Credentials,
            AllowRemote = options.AllowRemote,
            StartTimeout = options.StartTimeout,
        };
        return await new BrokerLauncher(launch).StartAsync(broker, cancellation);
    }

    private static string Resolve(string specification)
    {
        if (VariableOf(specification) is not { } variable)
            return specification;
        if (Environment.GetEnvironmentVariable(variable) is { Length: > 0 } value)
            return value;
        if (specification.Split('|', 2) is [_, var otherwise])
            return otherwise;
        throw new BrokerException(
            $"Environment variable {variable} is not set; set it to the broker to test: "
                + $"{BrokerSpecification.AllowedForms}."
        )
        {
            IsMissing = true,
        };
    }

    // This library does not refer to MQTTnet, so that tests of a user need not either.
    private static string HowToServeMqttNet(BrokerSpecification broker) =>
        $"Broker '{broker.Name}' is no part of MqttCheck.Testing. In a process of its own, with the tool installed: "
        + $"exec:\"mqttcheck mqttnet-server --port {{port}}{(broker.IsTuned ? " --tuned" : "")}\". In the "
        + "process of the tests, with package MqttCheck.MqttNet: "
        + "'await MqttNetServer.StartAsync(new(IPAddress.Loopback, 0), isTuned: "
        + $"{(broker.IsTuned ? "true" : "false")})'.";
}
