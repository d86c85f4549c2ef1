using MqttCheck.Brokers.Processes;
using MqttCheck.Brokers.Wire.Tls;
using MqttCheck.Clusters.Topologies;

namespace MqttCheck.LiveClusters.Launching;

/// <summary>
/// How each node of a running cluster is reached: as the user says for all of them, and as the file says of one.
/// </summary>
internal static class RunningNodes
{
    /// <summary>The address of each node, and how it is reached. Nothing is connected.</summary>
    /// <param name="topology">A cluster that runs already.</param>
    /// <param name="options">How its nodes are reached as far as the file does not say.</param>
    /// <exception cref="InputException">
    /// A node is on another machine and that is not allowed, a variable of the environment is not set, or a file cannot
    /// be read.
    /// </exception>
    public static IReadOnlyList<(BrokerSpecification Broker, BrokerLaunchOptions Options)> Of(
        Topology topology,
        BrokerLaunchOptions options
    ) => [.. topology.Nodes.Select(node => Of(topology, node, options))];

    /// <summary>The address of one node, and how it is reached. Nothing is connected.</summary>
    /// <exception cref="InputException">As above.</exception>
    public static (BrokerSpecification Broker, BrokerLaunchOptions Options) Of(
        Topology topology,
        TopologyNode node,
        BrokerLaunchOptions options
    )
    {
        var broker = BrokerSpecification.Parse(node.Address ?? "");
        if (!options.AllowRemote && broker.Elsewhere is { } elsewhere)
            throw RemoteBroker.NotAllowed(broker, elsewhere);
        var where = $"{topology.Name}: node {node.Name}";
        return (
            broker,
            options with
            {
                Credentials = LoginOf(node, where, options),
                Tls = TlsOf(node, where, options),
            }
        );
    }

    private static Credentials? LoginOf(TopologyNode node, string where, BrokerLaunchOptions options)
    {
        var access = node.Access;
        var user = access.User ?? Variable(access.UserVariable, "userVariable", where) ?? options.Credentials?.UserName;
        var password = Variable(access.PasswordVariable, "passwordVariable", where) ?? options.Credentials?.Password;
        if (user is not null)
            return new Credentials(user, password ?? "");
        return password is null
            ? null
            : throw new InputException(
                $"{where}: passwordVariable: given without a user name; allowed: beside user, userVariable or --user."
            );
    }

    private static string? Variable(string? name, string key, string where) =>
        name is null ? null
        : Environment.GetEnvironmentVariable(name) is { Length: > 0 } value ? value
        : throw new InputException(
            $"{where}: {key}: the environment variable '{name}' is not set; allowed: one that is, or no {key}."
        );

    private static TlsClientOptions TlsOf(TopologyNode node, string where, BrokerLaunchOptions options)
    {
        var (access, tls) = (node.Access, options.Tls);
        if (access.CaFile is { } roots)
            tls = tls with { TrustedRoots = PemFiles.ReadCertificates(roots, $"{where}: caFile"), IsUnchecked = false };
        if (access.ClientCert is { } certificate)
            tls = tls with
            {
                Certificate = PemFiles.ReadCertificateWithKey(
                    certificate,
                    access.ClientKey,
                    $"{where}: clientCert, clientKey"
                ),
            };
        return tls with { ServerName = access.ServerName ?? tls.ServerName };
    }
}
