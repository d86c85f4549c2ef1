using System.Globalization;
using System.Net.Security;
using System.Security.Cryptography.X509Certificates;

namespace MqttCheck.Brokers.Wire.Tls;

/// <summary>Decides whether a certificate is trusted, and describes the reason if it is not.</summary>
internal static class CertificateTrust
{
    /// <summary>
    /// The policy that builds the chain from a certificate to a root. It downloads nothing, because a download would
    /// block the loop.
    /// </summary>
    /// <param name="roots">The only roots that are trusted, or null for those of the system.</param>
    public static X509ChainPolicy Policy(X509Certificate2Collection? roots)
    {
        var policy = new X509ChainPolicy
        {
            RevocationMode = X509RevocationMode.NoCheck,
            DisableCertificateDownloads = true,
        };
        if (roots is null)
            return policy;
        policy.TrustMode = X509ChainTrustMode.CustomRootTrust;
        policy.CustomTrustStore.AddRange(roots);
        return policy;
    }

    /// <summary>Describes the problem with a certificate.</summary>
    /// <param name="certificate">The peer's certificate.</param>
    /// <param name="chain">The chain that was found.</param>
    /// <param name="errors">The errors that the framework found.</param>
    /// <param name="name">The name that it should carry.</param>
    /// <param name="peer">The name of the certificate's owner in messages.</param>
    /// <returns>Null when there is no problem.</returns>
    public static string? Problem(
        X509Certificate2? certificate,
        X509Chain? chain,
        SslPolicyErrors errors,
        string name,
        string peer
    )
    {
        if (errors == SslPolicyErrors.None)
            return null;
        if (certificate is null || errors.HasFlag(SslPolicyErrors.RemoteCertificateNotAvailable))
            return $"{peer} shows no certificate";
        var shown = $"{peer}'s certificate ({certificate.Subject})";
        if (errors.HasFlag(SslPolicyErrors.RemoteCertificateNameMismatch))
            return $"{shown} is not for '{name}'{Names(certificate)}";
        var status =
            chain?.ChainStatus.Aggregate(X509ChainStatusFlags.NoError, (all, one) => all | one.Status)
            ?? X509ChainStatusFlags.NoError;
        if (status.HasFlag(X509ChainStatusFlags.NotTimeValid))
        {
            return string.Create(
                CultureInfo.InvariantCulture,
                $"{shown} is valid from {certificate.NotBefore:yyyy-MM-dd} to "
                    + $"{certificate.NotAfter:yyyy-MM-dd}, or one that signs it has expired"
            );
        }
        return (status & (X509ChainStatusFlags.UntrustedRoot | X509ChainStatusFlags.PartialChain)) != 0
            ? $"{shown} is not signed by an authority that is trusted here"
            : $"{shown} is not accepted: {status}";
    }

    private static string Names(X509Certificate2 certificate)
    {
        var names = certificate
            .Extensions.OfType<X509SubjectAlternativeNameExtension>()
            .SelectMany(extension =>
                extension
                    .EnumerateDnsNames()
                    .Concat(extension.EnumerateIPAddresses().Select(address => address.ToString()))
            )
            .ToList();
        return names.Count == 0 ? "" : $" but for {string.Join(", ", names)}";
    }
}
