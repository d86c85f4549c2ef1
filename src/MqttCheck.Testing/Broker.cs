using MqttCheck.Brokers.Processes;

namespace MqttCheck.Testing;

/// <summary>Reaches the broker that something else has started, and whose connection string it hands over.</summary>
public static class Broker
{
    /// <summary>
    /// Reaches the broker of a connection string, and returns when it accepts a client. A broker that is started for
    /// the test is that of <see cref="TestBroker"/>.
    /// </summary>
    /// <param name="connectionString">
    /// <c>mqtt://HOST:PORT</c>, <c>mqtts://HOST:PORT</c> (over TLS), or <c>Endpoint=mqtt://HOST:PORT</c>, as
    /// resources of Aspire give them, also with <c>;Username=NAME;Password=WORD</c>; or a name alone, such as
    /// <c>mqtt</c>: then environment variable <c>ConnectionStrings__mqtt</c> has the string.
    /// </param>
    /// <param name="options">How; by default as the environment says. Credentials of the string come first.</param>
    /// <param name="cancellation">Gives up.</param>
    /// <exception cref="InputException">
    /// The string is none of these, or the broker is on another machine and that is not allowed.
    /// </exception>
    /// <exception cref="BrokerException">
    /// The variable is not set, or the broker does not answer or refuses the credentials.
    /// </exception>
    public static async Task<IBrokerUnderTest> From(
        string connectionString,
        TestBrokerOptions? options = null,
        CancellationToken cancellation = default
    )
    {
        ArgumentNullException.ThrowIfNull(connectionString);
        options ??= TestBrokerOptions.FromEnvironment();
        var connection = BrokerConnection.Of(connectionString);
        return await TestBroker.StartAsync(
            connection.Address,
            options with
            {
                Credentials = connection.Credentials ?? options.Credentials,
            },
            cancellation
        );
    }
}
