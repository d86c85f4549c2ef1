using System.Net;
using MqttCheck.Brokers.Wire;

namespace MqttCheck.Brokers.Processes.Recipes;

/// <summary>How to run one broker as a child process on a port of the loopback interface.</summary>
internal interface IBrokerRecipe
{
    /// <summary>The broker as the user names it.</summary>
    string Name { get; }

    /// <summary>How to log in to it; by default anonymous.</summary>
    Credentials? Credentials => null;

    /// <summary>Finds out the known properties of the broker.</summary>
    /// <exception cref="BrokerException">It is not installed.</exception>
    Task<BrokerDescription> DescribeAsync(CancellationToken cancellation);

    /// <summary>Writes the files of the broker, and returns the command that starts it.</summary>
    /// <param name="directory">The path of a directory of its own, which becomes its working directory.</param>
    /// <param name="port">The port to serve.</param>
    /// <exception cref="BrokerException">It is not installed.</exception>
    BrokerCommand Prepare(string directory, int port);

    /// <summary>How to connect to the broker; by default over TCP.</summary>
    /// <param name="directory">The path of its directory, with the files that <see cref="Prepare"/> wrote.</param>
    /// <param name="address">The address that the broker serves.</param>
    WireEndpoint Endpoint(string directory, IPEndPoint address) => new(address);
}
