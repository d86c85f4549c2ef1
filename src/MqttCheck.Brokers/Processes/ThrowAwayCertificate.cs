using System.Net;
using System.Security.Cryptography;
using System.Security.Cryptography.X509Certificates;
using MqttCheck.Brokers.Processes.Children;
using MqttCheck.Brokers.Wire.Tls;

namespace MqttCheck.Brokers.Processes;

/// <summary>
/// A certificate for one run of a broker on the loopback interface: RSA with 4096 bits, signed by itself.
/// </summary>
internal static class ThrowAwayCertificate
{
    private const string CertificateName = "certificate.pem";
    private const int KeyBits = 4096;

    /// <summary>Makes one.</summary>
    /// <param name="directory">The path of the directory that gets the files.</param>
    /// <returns>The paths of the certificate and of its key.</returns>
    public static (string Certificate, string Key) Write(string directory)
    {
        using var key = RSA.Create(KeyBits);
        var request = new CertificateRequest("CN=localhost", key, HashAlgorithmName.SHA256, RSASignaturePadding.Pkcs1);
        var names = new SubjectAlternativeNameBuilder();
        names.AddDnsName("localhost");
        names.AddIpAddress(IPAddress.Loopback);
        names.AddIpAddress(IPAddress.IPv6Loopback);
        request.CertificateExtensions.Add(names.Build());
        var now = TimeProvider.System.GetUtcNow();
        using var certificate = request.CreateSelfSigned(now.AddDays(-1), now.AddDays(30));
        return (
            TemporaryDirectory.Write(directory, CertificateName, certificate.ExportCertificatePem()),
            TemporaryDirectory.Write(directory, "key.pem", key.ExportPkcs8PrivateKeyPem())
        );
    }

    /// <summary>The certificate that <see cref="Write"/> made, as the only root to trust.</summary>
    /// <param name="directory">The path of the directory with the certificate.</param>
    public static X509Certificate2Collection Read(string directory) =>
        PemFiles.ReadCertificates(System.IO.Path.Combine(directory, CertificateName), "certificate of this run");
}
