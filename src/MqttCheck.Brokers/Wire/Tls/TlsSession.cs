using System.Net.Security;
using System.Security.Cryptography.X509Certificates;

namespace MqttCheck.Brokers.Wire.Tls;

/// <summary>One side of a TLS handshake.</summary>
/// <param name="isUnchecked">Whether any certificate of the peer is accepted.</param>
/// <param name="name">The name that the peer's certificate has to carry; empty where it may carry any.</param>
/// <param name="peer">The name of the peer in messages.</param>
internal abstract class TlsSession(bool isUnchecked, string name, string peer)
{
    /// <summary>Why the peer's certificate was not accepted, or null.</summary>
    public string? Distrust { get; private set; }

    /// <summary>The name that the peer's certificate has to carry.</summary>
    protected string Name { get; } = name;

    /// <summary>Makes the handshake.</summary>
    /// <param name="stream">The stream over the connection.</param>
    public abstract Task AuthenticateAsync(SslStream stream);

    /// <summary>Judges the peer's certificate.</summary>
    protected bool IsTrusted(object sender, X509Certificate? certificate, X509Chain? chain, SslPolicyErrors errors)
    {
        if (!isUnchecked)
            Distrust = CertificateTrust.Problem(certificate as X509Certificate2, chain, errors, Name, peer);
        return Distrust is null;
    }
}
