using System.Net;
using System.Net.Security;
using System.Security.Cryptography;
using System.Security.Cryptography.X509Certificates;
using MqttCheck.Brokers.Wire.Tls;

namespace MqttCheck.Brokers.Tests.Wire;

/// <summary>Certificates made for one run of the tests.</summary>
internal static class TestCertificates
{
    private static readonly DateTimeOffset Start = DateTimeOffset.UnixEpoch.AddYears(50),
        End = Start.AddYears(100);

    /// <summary>An authority for tests.</summary>
    public static X509Certificate2 Authority { get; } = CreateAuthority();

    public static X509Certificate2Collection Roots => [Authority];

    /// <summary>A server's certificate for localhost and the loopback addresses.</summary>
    public static SslStreamCertificateContext Server { get; } = Context(Create("localhost"));

    /// <summary>A client's certificate.</summary>
    public static SslStreamCertificateContext Client { get; } = Context(Create("device-1"));

    /// <summary>A certificate whose time is over.</summary>
    public static SslStreamCertificateContext Expired { get; } = Context(Create("localhost", End: Start.AddYears(1)));

    public static TlsServerOptions ServerOptions => new(Server);

    public static TlsClientOptions ClientOptions => new() { TrustedRoots = Roots };

    public static X509Certificate2 Create(string name, DateTimeOffset? End = null)
    {
        using var key = ECDsa.Create(ECCurve.NamedCurves.nistP256);
        var request = new CertificateRequest($"CN={name}", key, HashAlgorithmName.SHA256);
        var names = new SubjectAlternativeNameBuilder();
        names.AddDnsName(name);
        names.AddIpAddress(IPAddress.Loopback);
        names.AddIpAddress(IPAddress.IPv6Loopback);
        request.CertificateExtensions.Add(names.Build());
        using var certificate = request.Create(
            Authority,
            Start,
            End ?? TestCertificates.End,
            RandomNumberGenerator.GetBytes(8)
        );
        using var withKey = certificate.CopyWithPrivateKey(key);
        return X509CertificateLoader.LoadPkcs12(
            withKey.Export(X509ContentType.Pkcs12),
            null,
            X509KeyStorageFlags.Exportable
        );
    }

    /// <summary>Writes a certificate and its key as PEM files.</summary>
    public static (string Certificate, string Key) Write(string directory, string name, X509Certificate2 certificate)
    {
        var (certificatePath, keyPath) = (
            Path.Combine(directory, name + ".pem"),
            Path.Combine(directory, name + ".key")
        );
        File.WriteAllText(certificatePath, certificate.ExportCertificatePem());
        using var key = certificate.GetECDsaPrivateKey()!;
        File.WriteAllText(keyPath, key.ExportPkcs8PrivateKeyPem());
        return (certificatePath, keyPath);
    }

    private static X509Certificate2 CreateAuthority()
    {
        var key = ECDsa.Create(ECCurve.NamedCurves.nistP256);
        var request = new CertificateRequest("CN=MqttCheck test authority", key, HashAlgorithmName.SHA256);
        request.CertificateExtensions.Add(
            new X509BasicConstraintsExtension(
                certificateAuthority: true,
                hasPathLengthConstraint: false,
                0,
                critical: true
            )
        );
        request.CertificateExtensions.Add(new X509KeyUsageExtension(X509KeyUsageFlags.KeyCertSign, critical: true));
        return request.CreateSelfSigned(Start, End);
    }

    private static SslStreamCertificateContext Context(X509Certificate2 certificate) =>
        SslStreamCertificateContext.Create(certificate, null, offline: true);
}
