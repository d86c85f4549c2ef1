using System.Net;
using MqttCheck.Brokers.Wire;
using MqttCheck.Protocol.Topics;

namespace MqttCheck.Brokers.Processes;

/// <summary>A broker that allows clients some topics only: those below a prefix.</summary>
internal sealed class PrefixedBroker : IBrokerUnderTest
{
    /// <summary>The environment variable with the prefix, where no option gives it.</summary>
    public const string Variable = "MQTTCHECK_TOPIC_PREFIX";

    private readonly IBrokerUnderTest _broker;

    private PrefixedBroker(IBrokerUnderTest broker, string prefix) => (_broker, TopicPrefix) = (broker, prefix);

    /// <inheritdoc/>
    public string TopicPrefix { get; }

    /// <inheritdoc/>
    public BrokerDescription Description => _broker.Description;

    /// <inheritdoc/>
    public IPEndPoint Address => _broker.Address;

    /// <inheritdoc/>
    public WireEndpoint Endpoint => _broker.Endpoint;

    /// <inheritdoc/>
    public IReadOnlyList<WireEndpoint> Endpoints => _broker.Endpoints;

    /// <inheritdoc/>
    public bool Failover => _broker.Failover;

    /// <inheritdoc/>
    public Credentials? Credentials => _broker.Credentials;

    /// <inheritdoc/>
    public int? ProcessId => _broker.ProcessId;

    /// <inheritdoc/>
    public string? Failure => _broker.Failure;

    /// <summary>The broker with a prefix; without one the broker itself.</summary>
    /// <param name="broker">The broker, running.</param>
    /// <param name="prefix">The result of <see cref="Checked"/>.</param>
    public static IBrokerUnderTest Of(IBrokerUnderTest broker, string prefix) =>
        prefix.Length == 0 ? broker : new PrefixedBroker(broker, prefix);

    /// <summary>The prefix that was given: as an argument, or else by <see cref="Variable"/>.</summary>
    /// <param name="given">The argument; null where there is none.</param>
    /// <param name="where">The name of the argument, for the message.</param>
    /// <exception cref="InputException">No topic can begin with it.</exception>
    public static string Checked(string? given, string where)
    {
        var prefix = given ?? Environment.GetEnvironmentVariable(Variable) ?? "";
        return FindError(prefix) is null
            ? prefix
            : throw new InputException(
                $"{(given is null ? Variable : where)}: '{prefix}' given; allowed: {TopicName.AllowedPrefix}, "
                    + "such as plant/."
            );
    }

    /// <summary>Finds an error of a prefix, in a sentence; null where there is none.</summary>
    /// <param name="prefix">The beginning of topics, or empty for none.</param>
    public static string? FindError(string prefix) =>
        prefix.Length == 0 || TopicName.IsPrefix(prefix)
            ? null
            : $"Topic prefix: '{prefix}' is not allowed; allowed: {TopicName.AllowedPrefix}.";

    /// <inheritdoc/>
    public ValueTask DisposeAsync() => _broker.DisposeAsync();
}
