namespace MqttCheck.Clusters.Topologies.Systems;

/// <summary>
/// How clients log in at a node that runs already, and how they speak TLS with it. What is not given is as for the
/// other nodes. Passwords stay in the environment.
/// </summary>
internal sealed record NodeAccess
{
    /// <summary>The user name; null for the one of the environment or of all nodes.</summary>
    public string? User { get; init; }

    /// <summary>The name of the environment variable that holds the user name, or null.</summary>
    public string? UserVariable { get; init; }

    /// <summary>The name of the environment variable that holds the password, or null.</summary>
    public string? PasswordVariable { get; init; }

    /// <summary>The path of the only trusted authorities, PEM; or null.</summary>
    public string? CaFile { get; init; }

    /// <summary>The name that the certificate of the node has to carry, or null.</summary>
    public string? ServerName { get; init; }

    /// <summary>The path of the certificate of clients, PEM; or null.</summary>
    public string? ClientCert { get; init; }

    /// <summary>The path of its private key, PEM; null where the key is in the file of the certificate.</summary>
    public string? ClientKey { get; init; }
}
