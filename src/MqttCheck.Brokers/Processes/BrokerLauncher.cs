using MqttCheck.Brokers.Processes.Recipes;

namespace MqttCheck.Brokers.Processes;

/// <summary>Starts, or reaches, the broker that a user named.</summary>
/// <param name="options">How.</param>
public sealed class BrokerLauncher(BrokerLaunchOptions options)
{
    /// <summary>Starts or reaches a broker, and returns when it accepts a client.</summary>
    /// <param name="specification">Which one.</param>
    /// <param name="cancellation">Gives up; what was started is stopped first.</param>
    /// <exception cref="BrokerException">The broker is not installed, does not start, does not answer, or refuses the credentials.</exception>
    /// <exception cref="InputException">The broker is on another machine and that is not allowed.</exception>
    public async Task<IBrokerUnderTest> StartAsync(BrokerSpecification specification, CancellationToken cancellation)
    {
        ArgumentNullException.ThrowIfNull(specification);
        switch (specification.Kind)
        {
            case BrokerKind.Running:
                return await RemoteBroker.ReachAsync(specification, options, cancellation);
            case BrokerKind.Embedded when options.EmbeddedCommand is { } command:
                var description = new BrokerDescription
                {
                    Name = specification.Name,
                    Version = typeof(BrokerLauncher).Assembly.GetName().Version?.ToString(3) ?? "unknown",
                    Settings = "default",
                    Details = options.EmbeddedDetails,
                };
                return await ChildBroker.StartAsync(command, description, options.Credentials, options.StartTimeout, cancellation);
            case BrokerKind.Embedded:
                throw new BrokerException("No program is known that could serve as the embedded broker.");
            default:
                return await InstalledBroker.StartAsync(RecipeOf(specification), options.StartTimeout, cancellation);
        }
    }

    private IBrokerRecipe RecipeOf(BrokerSpecification specification) => specification.Kind switch
    {
        BrokerKind.Mosquitto => new MosquittoRecipe(specification.IsTuned, specification.Transport),
        BrokerKind.RabbitMq => new RabbitMqRecipe(specification.IsTuned),
        BrokerKind.Ejabberd => new EjabberdRecipe(specification.IsTuned),
        BrokerKind.Nats => new NatsRecipe(specification.IsTuned),
        _ => new CommandRecipe(specification, options.Credentials),
    };
}
