using System.Diagnostics;
using MqttCheck.Brokers.Processes.Recipes;

namespace MqttCheck.Brokers.Processes;

/// <summary>Starts, or reaches, the broker that a user named.</summary>
/// <param name="options">How.</param>
internal sealed class BrokerLauncher(BrokerLaunchOptions options)
{
    /// <summary>Starts or reaches a broker, and returns when it accepts a client.</summary>
    /// <param name="specification">The broker to start or reach.</param>
    /// <param name="cancellation">Gives up; what was started is stopped first.</param>
    /// <exception cref="BrokerException">
    /// The broker is not installed, does not start, does not answer, or refuses the credentials.
    /// </exception>
    /// <exception cref="InputException">The broker is on another machine and that is not allowed.</exception>
    public async Task<IBrokerUnderTest> StartAsync(BrokerSpecification specification, CancellationToken cancellation)
    {
        switch (specification.Kind)
        {
            case BrokerKind.Running:
                return await RemoteBroker.ReachAsync(specification, options, cancellation);
            case BrokerKind.Cluster:
                throw new InputException(
                    $"Broker {specification.Name} is a cluster; allowed here: one broker, such as mosquitto."
                );
            case var kind when kind.IsComposed():
                throw new InputException(
                    $"Broker {specification.Name} consists of several programs; allowed here: a broker that is one "
                        + "program, such as mosquitto."
                );
            case var kind when kind.IsHosted():
                return await StartHostedAsync(specification, cancellation);
            case BrokerKind.Mosquitto
            or BrokerKind.RabbitMq
            or BrokerKind.Ejabberd
            or BrokerKind.Nats
            or BrokerKind.Aedes
            or BrokerKind.Command:
                return await InstalledBroker.StartAsync(RecipeOf(specification), options.StartTimeout, cancellation);
            default:
                throw new UnreachableException();
        }
    }

    /// <summary>Looks for a broker that is to be started as installed.</summary>
    /// <param name="name">One of <see cref="BrokerSpecification.InstalledNames"/>.</param>
    /// <param name="cancellation">Gives up.</param>
    /// <returns>Its version; or null, and how to install it.</returns>
    public static async Task<(string? Version, string HowToInstall)> FindAsync(
        string name,
        CancellationToken cancellation
    )
    {
        try
        {
            var description = await new BrokerLauncher(new())
                .RecipeOf(BrokerSpecification.Parse(name))
                .DescribeAsync(cancellation);
            return (description.Version, "");
        }
        catch (BrokerException missing)
        {
            return (null, missing.Message);
        }
    }

    private Task<ChildBroker> StartHostedAsync(BrokerSpecification specification, CancellationToken cancellation)
    {
        var program = HostedOf(specification);
        return ChildBroker.StartAsync(
            program.Serve(null),
            HostedRecipe.Describe(specification, program),
            options.Credentials,
            options.StartTimeout,
            cancellation
        );
    }

    private HostedBroker HostedOf(BrokerSpecification specification) =>
        options.Hosted(specification)
        ?? throw new BrokerException(
            $"No program is known that could serve as broker {specification.Name}: this one brings none."
        );

    /// <summary>The recipe of a broker that is one program.</summary>
    /// <param name="specification">The broker.</param>
    /// <exception cref="BrokerException">It comes with the program that measures, and this one brings none.</exception>
    public IBrokerRecipe RecipeOf(BrokerSpecification specification) =>
        specification.Kind switch
        {
            BrokerKind.Mosquitto => new MosquittoRecipe(specification.IsTuned, specification.Transport)
            {
                Settings = specification.Settings,
                IsKept = specification.IsKept,
            },
            BrokerKind.Embedded or BrokerKind.MqttNet => new HostedRecipe(specification, HostedOf(specification)),
            BrokerKind.RabbitMq => new RabbitMqRecipe(specification.IsTuned) { Settings = specification.Settings },
            BrokerKind.Ejabberd => new EjabberdRecipe(specification.IsTuned),
            BrokerKind.Nats => new NatsRecipe(specification.IsTuned) { Settings = specification.Settings },
            BrokerKind.Aedes => new AedesRecipe(specification.IsTuned),
            BrokerKind.Command => new CommandRecipe(specification, options.Credentials),
            _ => throw new UnreachableException(),
        };
}
