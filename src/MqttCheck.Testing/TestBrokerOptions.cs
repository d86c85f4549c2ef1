using MqttCheck.Broker.Delays;
using MqttCheck.Broker.Faults;
using MqttCheck.Brokers.Processes;

namespace MqttCheck.Testing;

/// <summary>How a test starts or reaches its broker.</summary>
public sealed record TestBrokerOptions
{
    /// <summary>
    /// The environment variable with the delay law of the embedded broker, for example <c>lognormal:5ms,0.5</c> or
    /// <c>constant:80ms</c>.
    /// </summary>
    public const string DelayVariable = "MQTTCHECK_DELAY";

    /// <summary>
    /// The environment variable with faults of the embedded broker, for example <c>lose:0.1</c> or
    /// <c>wrong-qos:0.2,reorder:0.05</c>.
    /// </summary>
    public const string FaultsVariable = "MQTTCHECK_FAULTS";

    /// <summary>The environment variables with user name and password of a running broker.</summary>
    public const string UserVariable = "MQTTCHECK_USER",
        PasswordVariable = "MQTTCHECK_PASSWORD";

    /// <summary>The environment variable with the beginning of all topics.</summary>
    public const string TopicPrefixVariable = PrefixedBroker.Variable;

    /// <summary>
    /// The beginning of all topics that measurements and checks use, where the broker allows no others: levels of a
    /// topic that end with a slash, such as <c>plant/</c>. Default: environment variable
    /// <see cref="TopicPrefixVariable"/>, otherwise none.
    /// </summary>
    public string? TopicPrefix { get; init; }

    /// <summary>
    /// How long the embedded broker holds back each answer and delivery. Default: environment variable
    /// <see cref="DelayVariable"/>, otherwise not at all.
    /// </summary>
    public DelayPlan Delay { get; init; } = DelayPlan.None;

    /// <summary>
    /// The faults that the embedded broker commits on purpose, to see that tests notice them. Default: environment
    /// variable <see cref="FaultsVariable"/>, otherwise none.
    /// </summary>
    public FaultPlan Faults { get; init; } = FaultPlan.None;

    /// <summary>
    /// How to log in to a running broker or to one started by a command. Default: environment variables
    /// <see cref="UserVariable"/> and <see cref="PasswordVariable"/>, otherwise anonymous.
    /// </summary>
    public Credentials? Credentials { get; init; }

    /// <summary>
    /// Whether a running broker may be on another machine. Default no: a load test reaches a stranger's broker only on
    /// purpose.
    /// </summary>
    public bool AllowRemote { get; init; }

    /// <summary>How long a broker may take until it answers. Default 60 s.</summary>
    public TimeSpan StartTimeout { get; init; } = TimeSpan.FromSeconds(60);

    /// <summary>The options that the environment of the test asks for.</summary>
    /// <exception cref="InputException">The delay law or the faults are malformed.</exception>
    public static TestBrokerOptions FromEnvironment()
    {
        var user = Environment.GetEnvironmentVariable(UserVariable);
        return new()
        {
            Delay = Environment.GetEnvironmentVariable(DelayVariable) is { Length: > 0 } law
                ? DelayPlan.Parse(law, "environment variable " + DelayVariable)
                : DelayPlan.None,
            Faults = Environment.GetEnvironmentVariable(FaultsVariable) is { Length: > 0 } faults
                ? FaultPlan.Parse(faults, "environment variable " + FaultsVariable)
                : FaultPlan.None,
            Credentials = string.IsNullOrEmpty(user)
                ? null
                : new Credentials(user, Environment.GetEnvironmentVariable(PasswordVariable) ?? ""),
        };
    }
}
