using System.Net;
using System.Net.Security;
using System.Security.Cryptography;
using System.Security.Cryptography.X509Certificates;
using System.Text;
using MqttCheck.Json;

namespace MqttCheck.Workers.Joining;

/// <summary>
/// The protection of the connections between workers and coordinators: a shared key, which each side proves to know,
/// and TLS with a common certificate.
/// </summary>
internal sealed class WorkerSecurity
{
    /// <summary>The environment variable with the shared key.</summary>
    public const string KeyVariable = "MQTTCHECK_WORKER_KEY";

    /// <summary>The least length of a key in characters, which makes guessing it from one proof infeasible.</summary>
    public const int ShortestKey = 16;

    private readonly HashSet<string> _trusted;

    private WorkerSecurity(byte[] key, X509Certificate2? certificate, IEnumerable<X509Certificate2> trusted) =>
        (Key, Certificate, _trusted) = (
            key,
            certificate,
            [.. trusted.Select(one => one.GetCertHashString(HashAlgorithmName.SHA256))]
        );

    /// <summary>The shared key; empty where none is set.</summary>
    internal byte[] Key { get; }

    /// <summary>The certificate to show, with its private key; null for connections in the clear.</summary>
    internal X509Certificate2? Certificate { get; }

    /// <summary>Whether a worker may listen at an address that other machines reach.</summary>
    public bool SufficesBeyondLoopback => Key.Length > 0 && Certificate is not null;

    /// <summary>Reads the security settings of a user.</summary>
    /// <param name="certificateFile">
    /// A PEM file with a certificate and its private key, and with the certificates of others to trust, if they differ.
    /// Null for no TLS.
    /// </param>
    /// <param name="key">The shared key, or null.</param>
    /// <exception cref="InputException">The file cannot be read, or the key is too short.</exception>
    public static WorkerSecurity Of(string? certificateFile, string? key)
    {
        if (key is { Length: > 0 and < ShortestKey })
            throw new InputException(
                $"{KeyVariable}: it has {key.Length} characters; allowed: at least {ShortestKey}, such as those of "
                    + "'openssl rand -hex 32'."
            );
        var bytes = Encoding.UTF8.GetBytes(key ?? "");
        if (certificateFile is null)
            return new(bytes, null, []);
        try
        {
            var trusted = new X509Certificate2Collection();
            trusted.ImportFromPemFile(certificateFile);
            return new(bytes, X509Certificate2.CreateFromPemFile(certificateFile), trusted);
        }
        catch (Exception failure) when (failure is IOException or UnauthorizedAccessException or CryptographicException)
        {
            var reason =
                failure is CryptographicException ? failure.Message : InputFile.Reason(failure, certificateFile);
            throw new InputException(
                $"--certificate: '{certificateFile}' cannot be used: {reason.TrimEnd('.')}; allowed: a PEM "
                    + "file with a certificate and its private key, not encrypted.",
                failure
            );
        }
    }

    /// <summary>Refuses an address that other machines can reach, unless the protection suffices.</summary>
    /// <param name="listen">The address.</param>
    /// <exception cref="InputException">It does not suffice.</exception>
    public void RequireFor(IPAddress listen)
    {
        if (IPAddress.IsLoopback(listen) || SufficesBeyondLoopback)
            return;
        var missing = new List<string>();
        if (Certificate is null)
            missing.Add("--certificate FILE");
        if (Key.Length == 0)
            missing.Add($"a shared key in {KeyVariable}");
        throw new InputException(
            $"--listen: other machines reach {listen}; allowed: a loopback address, or this one with "
                + $"{string.Join(" and ", missing)}."
        );
    }

    /// <summary>Whether the other side showed a certificate that is trusted.</summary>
    internal bool Trusts(X509Certificate? shown) =>
        shown is not null && _trusted.Contains(shown.GetCertHashString(HashAlgorithmName.SHA256));
}
