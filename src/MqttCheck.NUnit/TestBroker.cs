using MqttCheck.Broker.Delays;
using MqttCheck.Brokers.Embedded;
using MqttCheck.Brokers.Processes;
using NUnit.Framework;
using NUnit.Framework.Interfaces;
using NUnit.Framework.Internal;

namespace MqttCheck.NUnit;

/// <summary>Starts, or reaches, the broker of a test.</summary>
public static class TestBroker
{
    private const string VariablePrefix = "env:";

    // Where a test, or the fixture around it, keeps the names of the variables that named its brokers.
    private const string VariableProperty = "MqttCheck.BrokerVariable";

    /// <summary>
    /// Starts or reaches a broker, and returns when it accepts a client. Where it is missing (a program that is not
    /// installed, an environment variable that is not set) the test is ignored with what to do about it; with
    /// environment variable <c>CI=true</c> it fails: there, a test that never runs must not go unnoticed.
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
    /// <exception cref="BrokerException">It does not start, does not answer, or refuses the credentials.</exception>
    public static async Task<IBrokerUnderTest> StartAsync(
        string specification,
        TestBrokerOptions? options = null,
        CancellationToken cancellation = default
    )
    {
        ArgumentNullException.ThrowIfNull(specification);
        options ??= TestBrokerOptions.FromEnvironment();
        var broker = BrokerSpecification.Parse(Resolve(specification));
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
        try
        {
            var launch = new BrokerLaunchOptions
            {
                Credentials = options.Credentials,
                AllowRemote = options.AllowRemote,
                StartTimeout = options.StartTimeout,
            };
            return await new BrokerLauncher(launch).StartAsync(broker, cancellation);
        }
        catch (BrokerException exception) when (exception.IsNotInstalled)
        {
            Missing(exception.Message);
            throw;
        }
    }

    /// <summary>The environment variables that named the brokers of a test, for the command that repeats it.</summary>
    internal static IEnumerable<string> VariablesOf(ITest? test)
    {
        for (; test is not null; test = test.Parent)
            foreach (var variable in test.Properties[VariableProperty])
                yield return (string)variable;
    }

    private static string Resolve(string specification)
    {
        if (!specification.StartsWith(VariablePrefix, StringComparison.Ordinal))
            return specification;
        var parts = specification[VariablePrefix.Length..].Split('|', 2);
        TestExecutionContext.CurrentContext.CurrentTest.Properties.Add(VariableProperty, parts[0]);
        if (Environment.GetEnvironmentVariable(parts[0]) is { Length: > 0 } value)
            return value;
        if (parts.Length == 2)
            return parts[1];
        Missing(
            $"Environment variable {parts[0]} is not set; set it to the broker to test: "
                + $"{BrokerSpecification.AllowedForms}."
        );
        return specification;
    }

    // This library does not refer to MQTTnet, so that tests of a user need not either.
    private static string HowToServeMqttNet(BrokerSpecification broker) =>
        $"Broker '{broker.Name}' is no part of MqttCheck.NUnit. In a process of its own, with the tool installed: "
        + $"exec:\"mqttcheck mqttnet-server --port {{port}}{(broker.IsTuned ? " --tuned" : "")}\". In the "
        + "process of the tests, with package MqttCheck.MqttNet: "
        + "'await MqttNetServer.StartAsync(new(IPAddress.Loopback, 0), isTuned: "
        + $"{(broker.IsTuned ? "true" : "false")})'.";

    private static void Missing(string message)
    {
        if (Environment.GetEnvironmentVariable("CI") == "true")
            Assert.Fail(message);
        Assert.Ignore(message);
    }
}
